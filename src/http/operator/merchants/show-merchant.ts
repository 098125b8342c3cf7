import type { FastifyInstance } from 'fastify';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';
import { findMerchant } from './find-merchant.ts';
import { merchantJson, merchantShape } from './merchant-shape.ts';

/** GET /api/merchants/{id} */
export function showMerchant(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: MerchantPath }>(
    '/merchants/:id',
    {
      schema: {
        tags: ['Merchants'],
        operationId: 'showMerchant',
        summary: 'Show a merchant',
        params: merchantPath,
        response: { 200: merchantShape, ...refusals(404) },
      },
    },
    async (request) =>
      merchantJson(await findMerchant(deps.api, request.params.id), deps.disputesUrl),
  );
}
