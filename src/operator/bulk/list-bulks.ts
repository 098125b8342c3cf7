import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { createBulkStore } from '../../store/bulk/bulk-store.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { bulkJson, bulkShape } from './bulk-shape.ts';

/** GET /api/merchants/{id}/bulk-actions */
export const listBulks = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/bulk-actions',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listBulks',
    tag: 'Bulk actions',
    summary: 'List what was done to many payments',
    description: 'The newest first.',
  },
  schema: { path: merchantPath, query: Type.Object(pageQuery, { additionalProperties: false }) },
  answers: { 200: pageShape(bulkShape, 'One page of them.'), ...refusals(400, 404) },
  async answer({ path, query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const page = await createBulkStore(db).list({ merchantId, ...pageOf(query) });
    return contentAnswer(pageJson(page, bulkJson));
  },
});
