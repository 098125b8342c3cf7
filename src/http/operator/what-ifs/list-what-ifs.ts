import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { whatIfJson, whatIfShape } from './what-if-shape.ts';

const query = Type.Object({ merchant_id: merchantIdField }, { additionalProperties: false });

const listShape = Type.Object(
  { what_ifs: Type.Array(whatIfShape) },
  { description: 'The newest 50, the one that was asked for last at the front.' },
);

/** GET /api/what-ifs */
export function listWhatIfs(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Querystring: Type.Static<typeof query> }>(
    '/what-ifs',
    {
      schema: {
        tags: ['Models'],
        operationId: 'listWhatIfs',
        summary: 'List the what-ifs of a merchant with their results',
        description:
          'What other windows, numbers of tries and policies would have brought, by the back-test of ' +
          'the merchant’s own charges. docs/backtest.md says how to read the estimates.',
        querystring: query,
        response: { 200: listShape, ...refusals(400, 404) },
      },
    },
    async (request) => {
      const { merchantId } = await findMerchant(deps.api, request.query.merchant_id);
      const whatIfs = await deps.api.listWhatIfs(merchantId);
      return { what_ifs: whatIfs.map(whatIfJson) };
    },
  );
}
