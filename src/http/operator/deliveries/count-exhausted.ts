import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { timeField } from '../../fields.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';

const query = Type.Object(
  {
    since: Type.String({
      ...timeField('Of events created at this time or later.'),
      examples: ['2026-03-01T00:00:00Z'],
    }),
  },
  { additionalProperties: false },
);

const countShape = Type.Object(
  { exhausted: Type.Integer({ minimum: 0 }) },
  { description: 'How many are given up, and would be sent again.', examples: [{ exhausted: 12 }] },
);

/** GET /api/merchants/{id}/deliveries/replay */
export function countExhausted(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: MerchantPath; Querystring: Type.Static<typeof query> }>(
    '/merchants/:id/deliveries/replay',
    {
      schema: {
        tags: ['Deliveries'],
        operationId: 'countExhausted',
        summary: 'Count what a replay would send again',
        description: 'Before a replay what it will do; during one what is left to do.',
        params: merchantPath,
        querystring: query,
        response: { 200: countShape, ...refusals(400, 404) },
      },
    },
    async (request) => {
      const { merchantId } = await findMerchant(deps.api, request.params.id);
      const since = new Date(request.query.since);
      return { exhausted: await deps.api.countExhausted({ merchantId, since }) };
    },
  );
}
