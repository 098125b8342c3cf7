import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { present } from '../../../domain/present.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { unknownChargeJson, unknownChargeShape } from './unknown-charge-shape.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField), ...pageQuery },
  { additionalProperties: false },
);

/** GET /api/unknown-charges */
export function listUnknownCharges(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Querystring: Type.Static<typeof query> }>(
    '/unknown-charges',
    {
      schema: {
        tags: ['Unknown charges'],
        operationId: 'listUnknownCharges',
        summary: 'List the charges whose answers were lost',
        description: 'The longest unknown first. Those without next_look_up_at wait for a person.',
        querystring: query,
        response: { 200: pageShape(unknownChargeShape, 'One page of them.'), ...refusals(400) },
      },
    },
    async (request) => {
      const { merchant_id: merchantId } = request.query;
      const page = await deps.api.listUnknownCharges({
        ...present({ merchantId }),
        ...pageOf(request.query),
      });
      return pageJson(page, unknownChargeJson);
    },
  );
}
