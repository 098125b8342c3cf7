import { Type } from 'typebox';
import { limits } from '../../../domain/limits.ts';
import type { Psp } from '../../../domain/psps.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { timeField } from '../../fields.ts';
import { contentAnswer } from '../../server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { ourIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { reconciliationJson, reconciliationShape } from './reconciliation-shape.ts';

const body = Type.Object(
  {
    merchant_id: Type.Optional(ourIdField('One merchant; absent: all.')),
    psp: Type.Optional(Type.String({ description: 'One PSP; absent: all.', maxLength: 32 })),
    since: Type.Optional(timeField('Absent: two hours before the end of the last run.')),
    report: Type.Optional(
      Type.String({
        description: "The PSP's settlement or transaction report as CSV, of one merchant and PSP.",
        maxLength: limits.requestBodyBytes,
      }),
    ),
  },
  { additionalProperties: false, examples: [{}] },
);

/** POST /api/reconciliations */
export const beginReconciliations = defineEndpoint({
  method: 'POST',
  path: '/api/reconciliations',
  docs: {
    id: 'beginReconciliations',
    tag: 'Service',
    summary: "Compare charges with the PSPs' lists",
    description:
      'A worker holds the charges of each account against the PSP’s own list, both ways. What it ' +
      'finds are incidents; what the list resolves is resolved. An account that is compared already ' +
      'goes on.',
  },
  schema: { body },
  answers: {
    202: Type.Object(
      { items: Type.Array(reconciliationShape) },
      { description: 'What was begun, or is under way.' },
    ),
    ...refusals(400),
  },
  async answer({ body }, deps: OperatorDeps) {
    const { merchant_id: merchantId, psp, since, report } = body;
    const begun = await deps.api.beginReconciliations({
      ...(merchantId === undefined ? {} : { merchantId }),
      ...(psp === undefined ? {} : { psp: psp as Psp }),
      ...(since === undefined ? {} : { since: new Date(since) }),
      ...(report === undefined ? {} : { report }),
    });
    return contentAnswer({ items: begun.map(reconciliationJson) }, 202);
  },
});

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
  docs: {
    id: 'listReconciliations',
    tag: 'Service',
    summary: 'List comparisons with the PSPs’ lists',
    description: 'The newest first, those under way with how far they are.',
  },
  schema: { query },
  answers: { 200: pageShape(reconciliationShape, 'A page of runs.'), ...refusals(400) },
  async answer({ query }, deps: OperatorDeps) {
    const { merchant_id: merchantId } = query;
    const of = merchantId === undefined ? {} : { merchantId };
    const page = await deps.api.listReconciliations({ ...of, ...pageOf(query) });
    return contentAnswer(pageJson(page, reconciliationJson));
  },
});
