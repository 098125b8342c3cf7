import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listMerchants as readMerchants } from '../../store/admin/merchants.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { merchantJson, merchantShape } from './merchant-shape.ts';

const query = Type.Object(pageQuery, { additionalProperties: false });

/** GET /api/merchants */
export const listMerchants = defineEndpoint({
  method: 'GET',
  path: '/api/merchants',
  needs: { role: 'viewer', reach: 'own' },
  docs: { id: 'listMerchants', tag: 'Merchants', summary: 'List merchants' },
  schema: { query },
  answers: { 200: pageShape(merchantShape, 'One page of them.'), ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'disputesUrl' | 'caller'>) {
    const { db, disputesUrl, caller } = context;
    const { merchants: only } = caller;
    const page = await readMerchants(db, { ...pageOf(query), ...present({ only }) });
    return contentAnswer(pageJson(page, (merchant) => merchantJson(merchant, disputesUrl)));
  },
});
