import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { createBulkStore } from '../../store/bulk/bulk-store.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, ourIdField, refusals } from '../shapes.ts';
import { bulkJson, bulkShape } from './bulk-shape.ts';

/** GET /api/merchants/{id}/bulk-actions/{bulk_id} */
export const showBulk = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/bulk-actions/{bulk_id}',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showBulk',
    tag: 'Bulk actions',
    summary: 'Show what is done to many payments',
    description: 'Its progress, how many payments it was done to, and why not to the others.',
  },
  schema: {
    path: Type.Object({
      id: merchantIdField,
      bulk_id: ourIdField('The id, as it was begun.'),
    }),
  },
  answers: { 200: bulkShape, ...refusals(404) },
  async answer({ path }, { db }: Pick<OperatorDeps, 'db'>) {
    const { id: merchantId, bulk_id: bulkId } = path;
    const bulk = await createBulkStore(db).find({ merchantId, bulkId });
    if (bulk === undefined) {
      throw new AppError('not_found', 'The merchant has no bulk action with this id.');
    }
    return contentAnswer(bulkJson(bulk));
  },
});
