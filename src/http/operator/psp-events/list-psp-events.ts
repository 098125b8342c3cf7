import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { present } from '../../../domain/present.ts';
import { psps } from '../../../domain/psps.ts';
import { wordField } from '../../fields.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import {
  type MerchantPath,
  merchantPath,
  pageJson,
  pageOf,
  pageQuery,
  pageShape,
  refusals,
} from '../shapes.ts';
import { pspEventJson, pspEventShape } from './psp-event-shape.ts';

const query = Type.Object(
  { psp: Type.Optional(wordField(psps, 'Only those of this PSP.')), ...pageQuery },
  { additionalProperties: false },
);

/** GET /api/merchants/{id}/psp-events */
export function listPspEvents(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: MerchantPath; Querystring: Type.Static<typeof query> }>(
    '/merchants/:id/psp-events',
    {
      schema: {
        tags: ['PSP events'],
        operationId: 'listPspEvents',
        summary: 'List what PSPs told of a merchant by webhook',
        description: 'The newest first, each with what Recoup made of it. Bodies are never shown.',
        params: merchantPath,
        querystring: query,
        response: { 200: pageShape(pspEventShape, 'One page of them.'), ...refusals(400, 404) },
      },
    },
    async (request) => {
      const { psp } = request.query;
      const { merchantId } = await findMerchant(deps.api, request.params.id);
      const page = await deps.api.listPspEvents({
        merchantId,
        ...present({ psp }),
        ...pageOf(request.query),
      });
      return pageJson(page, pspEventJson);
    },
  );
}
