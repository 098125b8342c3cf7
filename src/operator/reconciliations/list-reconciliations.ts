import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listReconciliations as readReconciliations } from '../../store/reconciliation/list-reconciliations.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { ourIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { reconciliationJson, reconciliationShape } from './reconciliation-shape.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(ourIdField('One merchant; absent: all.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

/** GET /api/reconciliations */
export const listReconciliations = defineEndpoint({
  method: 'GET',
  path: '/api/reconciliations',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listReconciliations',
    tag: 'Service',
    summary: 'List comparisons with the PSPs’ lists',
    description: 'The newest first, those under way with how far they are.',
  },
  schema: { query },
  answers: { 200: pageShape(reconciliationShape, 'A page of runs.'), ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'caller'>) {
    const asked = { ...whose(context, query), ...pageOf(query) };
    const page = await readReconciliations(context.db, asked);
    return contentAnswer(pageJson(page, reconciliationJson));
  },
});
