import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { findMerchant } from './find-merchant.ts';
import { merchantJson, merchantShape } from './merchant-shape.ts';

/** GET /api/merchants/{id} */
export const showMerchant = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}',
  needs: { role: 'viewer', reach: 'path' },
  docs: { id: 'showMerchant', tag: 'Merchants', summary: 'Show a merchant' },
  schema: { path: merchantPath },
  answers: { 200: merchantShape, ...refusals(404) },
  async answer({ path }, { db, disputesUrl }: Pick<OperatorDeps, 'db' | 'disputesUrl'>) {
    return contentAnswer(merchantJson(await findMerchant(db, path.id), disputesUrl));
  },
});
