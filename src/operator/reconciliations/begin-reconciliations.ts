import { Type } from 'typebox';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { psps } from '../../domain/psps.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { ourIdField, refusals } from '../shapes.ts';
import { reconciliationJson, reconciliationShape } from './reconciliation-shape.ts';

const body = Type.Object(
  {
    merchant_id: Type.Optional(ourIdField('One merchant; absent: all.')),
    psp: Type.Optional(enumField(psps, 'One PSP; absent: all.')),
    since: Type.Optional(
      timeField('Default: two hours before the end of the last run, or the first row of a report.'),
    ),
    report: Type.Optional(
      Type.String({
        description: "The PSP's settlement or transaction report as CSV, of one merchant and PSP.",
        maxLength: limits.reportBytes,
      }),
    ),
  },
  { additionalProperties: false, examples: [{}] },
);

/** POST /api/reconciliations */
export const beginReconciliations = defineEndpoint({
  method: 'POST',
  path: '/api/reconciliations',
  needs: { role: 'operator', reach: 'all' },
  docs: {
    id: 'beginReconciliations',
    tag: 'Service',
    summary: "Compare charges with the PSPs' lists",
    description:
      'A worker holds the charges of each account against the PSP’s own list, both ways. What it ' +
      'finds are incidents; what the list resolves is resolved. An account that is compared already ' +
      'goes on; a report is refused meanwhile.',
  },
  schema: { body },
  body: { largest: { bytes: limits.reportBytes, refusal: 'report_too_large' } },
  answers: {
    202: Type.Object(
      { items: Type.Array(reconciliationShape) },
      { description: 'What was begun, or is under way.' },
    ),
    ...refusals(400, 404, 409, 413),
  },
  async answer({ body }, deps: OperatorDeps) {
    const { merchant_id: merchantId, psp, since, report } = body;
    if (merchantId !== undefined) await findMerchant(deps.db, merchantId);
    const begun = await deps.api.beginReconciliations({
      ...present({ merchantId, psp, report }),
      ...(since !== undefined && { since: new Date(since) }),
    });
    return contentAnswer({ items: begun.map(reconciliationJson) }, 202);
  },
});
