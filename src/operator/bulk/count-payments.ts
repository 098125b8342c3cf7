import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { createBulkStore } from '../../store/bulk/bulk-store.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { countField, merchantPath, refusals } from '../shapes.ts';
import { bulkScopeFields, readBulkScope } from './bulk-shape.ts';

/** GET /api/merchants/{id}/bulk-actions/count */
export const countPayments = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/bulk-actions/count',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'countPayments',
    tag: 'Bulk actions',
    summary: 'Count the payments of a bulk action',
    description: 'With the filters of `POST /api/merchants/{id}/bulk-actions`; nothing is done.',
  },
  schema: {
    path: merchantPath,
    query: Type.Object(bulkScopeFields, { additionalProperties: false }),
  },
  answers: {
    200: Type.Object(
      { count: countField('Open payments that match these filters now.') },
      { description: 'How many there are.', examples: [{ count: 14 }] },
    ),
    ...refusals(400, 404),
  },
  async answer({ path, query }, { db, now }: Pick<OperatorDeps, 'db' | 'now'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const scope = { until: now(), ...readBulkScope(merchantId, query) };
    return contentAnswer({ count: await createBulkStore(db).count(scope) });
  },
});
