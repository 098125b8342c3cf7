import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import {
  bulkActionField,
  bulkJson,
  bulkReasonField,
  bulkScopeFields,
  bulkShape,
  readBulkScope,
} from './bulk-shape.ts';

const body = Type.Object(
  { action: bulkActionField, reason: bulkReasonField, ...bulkScopeFields },
  {
    additionalProperties: false,
    examples: [
      { action: 'retry', reason: 'The processor was down this morning', status: 'scheduled' },
      {
        action: 'stop',
        reason: 'These cards were replaced',
        waiting_for: 'customer',
        created_to: '2026-02-01T00:00:00Z',
      },
    ],
  },
);

/** POST /api/merchants/{id}/bulk-actions */
export const beginBulk = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/bulk-actions',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'beginBulk',
    tag: 'Bulk actions',
    summary: 'Do something to many payments',
    description:
      'Stops, retries or sets aside each open payment that matches the filters, by the same rules as for a single payment. ' +
      'It runs in the background and survives restarts; `GET /api/merchants/{id}/bulk-actions/{bulk_id}` shows its ' +
      'progress. `GET /api/merchants/{id}/bulk-actions/count` says beforehand how many payments match.',
  },
  schema: { path: merchantPath, body },
  answers: { 202: bulkShape, ...refusals(400, 404) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { merchantId } = await findMerchant(deps.db, path.id);
    const { action, reason, ...asked } = body;
    const scope = readBulkScope(merchantId, asked);
    return contentAnswer(bulkJson(await deps.api.beginBulk({ ...scope, action, reason })), 202);
  },
});
