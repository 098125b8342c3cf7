import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import { present } from '../../../domain/present.ts';
import {
  type SetAside,
  type WorkKind,
  workKinds,
} from '../../../recovery/set-aside/set-aside-ports.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, idField, timeField } from '../../fields.ts';
import { contentAnswer } from '../../server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';

const kindField = Type.Unsafe<WorkKind>({
  ...enumField(workKinds, 'What kind of work it is.'),
  title: 'WorkKind',
});
const workIdField = idField(
  'The invoice of a payment, the key of a charge, the event of a delivery, the sequence number of a request.',
);

export const setAsideShape = Type.Object(
  {
    kind: kindField,
    merchant_id: merchantIdField,
    id: workIdField,
    invoice_id: Type.Optional(Type.String()),
    reason: Type.String({ description: 'The last fault, or why it was given up.' }),
    failures: Type.Integer({ description: 'How often in a row it failed.' }),
    set_aside_at: timeField('Since when it is due no more.'),
  },
  {
    title: 'SetAside',
    description: 'Work that is due no more until it is retried.',
    examples: [
      {
        kind: 'payment',
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        id: 'inv_1042',
        invoice_id: 'inv_1042',
        reason: '20 tries in a row reached no PSP',
        failures: 0,
        set_aside_at: '2026-03-06T12:00:00.000Z',
      },
    ],
  },
);

function setAsideJson(item: SetAside): Type.Static<typeof setAsideShape> {
  return present({
    kind: item.kind,
    merchant_id: item.merchantId,
    id: item.id,
    invoice_id: item.invoiceId,
    reason: item.reason,
    failures: item.failures,
    set_aside_at: item.setAsideAt.toISOString(),
  });
}

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    kind: Type.Optional(kindField),
    invoice_id: Type.Optional(idField('Only what is of this invoice.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

/** GET /api/set-aside */
export const listSetAside = defineEndpoint({
  method: 'GET',
  path: '/api/set-aside',
  docs: {
    id: 'listSetAside',
    tag: 'Set aside',
    summary: 'List the work that was given up until a person looks',
    description:
      'The longest set aside first: work that failed each time, and payments whose tries reach no processor.',
  },
  schema: { query },
  answers: { 200: pageShape(setAsideShape, 'One page of it.'), ...refusals(400) },
  async answer({ query }, deps: OperatorDeps) {
    const { merchant_id: merchantId, kind, invoice_id: invoiceId } = query;
    const page = await deps.api.listSetAside({
      ...present({ merchantId, kind, invoiceId }),
      ...pageOf(query),
    });
    return contentAnswer(pageJson(page, setAsideJson));
  },
});

const body = Type.Object(
  { kind: kindField, merchant_id: merchantIdField, id: workIdField },
  {
    additionalProperties: false,
    examples: [{ kind: 'payment', merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', id: 'inv_1042' }],
  },
);

/** POST /api/set-aside/retry */
export const retrySetAside = defineEndpoint({
  method: 'POST',
  path: '/api/set-aside/retry',
  docs: {
    id: 'retrySetAside',
    tag: 'Set aside',
    summary: 'Have work done again that was set aside',
    description: 'It is due now, and its failures count from nothing.',
  },
  schema: { body },
  answers: {
    200: Type.Object(
      { retried: Type.Boolean() },
      { description: 'It is due.', examples: [{ retried: true }] },
    ),
    ...refusals(400, 404),
  },
  async answer({ body }, deps: OperatorDeps) {
    const { kind, merchant_id: merchantId, id } = body;
    if (await deps.api.retrySetAside({ kind, merchantId, id })) {
      return contentAnswer({ retried: true });
    }
    throw new AppError('not_found', 'No such work of the merchant is set aside.');
  },
});
