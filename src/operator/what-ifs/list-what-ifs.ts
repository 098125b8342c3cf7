import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listWhatIfs as readWhatIfs } from '../../store/learned/what-if-store.ts';
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
export const listWhatIfs = defineEndpoint({
  method: 'GET',
  path: '/api/what-ifs',
  needs: { role: 'viewer', reach: 'query' },
  docs: {
    id: 'listWhatIfs',
    tag: 'Models',
    summary: 'List the what-ifs of a merchant with their results',
    description:
      'What other windows, numbers of tries and policies would have brought, by the back-test of ' +
      'the merchant’s own charges. docs/backtest.md says how to read the estimates.',
  },
  schema: { query },
  answers: { 200: listShape, ...refusals(400, 404) },
  async answer({ query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, query.merchant_id);
    const whatIfs = await readWhatIfs(db, merchantId);
    return contentAnswer({ what_ifs: whatIfs.map(whatIfJson) });
  },
});
