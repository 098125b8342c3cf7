import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { detailExample, detailFields, detailJson } from '../../disputes/disputes/show-dispute.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { type DisputePath, disputePath, merchantOfDispute, noDispute } from './find-dispute.ts';

export const disputeDetailShape = Type.Object(
  { merchant_id: merchantIdField, ...detailFields },
  {
    title: 'Dispute',
    description: 'The dispute.',
    examples: [{ merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', ...detailExample }],
  },
);

/** GET /api/disputes/{id} */
export function showDispute(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: DisputePath }>(
    '/disputes/:id',
    {
      schema: {
        tags: ['Disputes'],
        operationId: 'showDispute',
        summary: 'Show a dispute',
        description:
          'With its history, the captures that match it, the verdict on it, for which captures are opened, and the answer that it was given.',
        params: disputePath,
        response: { 200: disputeDetailShape, ...refusals(404) },
      },
    },
    async (request) => {
      const merchantId = await merchantOfDispute(deps, request.params);
      const found = await deps.disputes.show({ merchantId, disputeId: request.params.id });
      if (found === undefined) throw noDispute();
      const now = deps.disputes.now();
      const detail = await detailJson(deps.answers, { found, now, actor: 'operator' });
      return { merchant_id: merchantId, ...detail };
    },
  );
}
