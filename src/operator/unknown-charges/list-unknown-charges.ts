import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { readUnknownCharges } from '../../store/reports/read-unknown-charges.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { unknownChargeJson, unknownChargeShape } from './unknown-charge-shape.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField), ...pageQuery },
  { additionalProperties: false },
);

/** GET /api/unknown-charges */
export const listUnknownCharges = defineEndpoint({
  method: 'GET',
  path: '/api/unknown-charges',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listUnknownCharges',
    tag: 'Unknown charges',
    summary: 'List the charges whose answers were lost',
    description: 'The longest unknown first. Those without next_look_up_at wait for a person.',
  },
  schema: { query },
  answers: { 200: pageShape(unknownChargeShape, 'One page of them.'), ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'caller'>) {
    const page = await readUnknownCharges(context.db, {
      ...whose(context, query),
      ...pageOf(query),
    });
    return contentAnswer(pageJson(page, unknownChargeJson));
  },
});
