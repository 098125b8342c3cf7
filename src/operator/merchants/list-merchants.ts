import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listMerchants as readMerchants } from '../../store/admin/merchants.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { merchantJson, merchantShape } from './merchant-shape.ts';

const query = Type.Object(pageQuery, { additionalProperties: false });

/** GET /api/merchants */
export const listMerchants = defineEndpoint({
  method: 'GET',
  path: '/api/merchants',
  docs: { id: 'listMerchants', tag: 'Merchants', summary: 'List merchants' },
  schema: { query },
  answers: { 200: pageShape(merchantShape, 'One page of them.'), ...refusals(400) },
  async answer({ query }, { db, disputesUrl }: Pick<OperatorDeps, 'db' | 'disputesUrl'>) {
    const page = await readMerchants(db, pageOf(query));
    return contentAnswer(pageJson(page, (merchant) => merchantJson(merchant, disputesUrl)));
  },
});
