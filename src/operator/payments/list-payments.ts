import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { paymentStates, waits } from '../../domain/states.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, idField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { paymentSummaryFields, paymentSummaryJson } from '../../http/views/payment-shape.ts';
import { findPayments } from '../../store/reports/find-payments.ts';
import { listOperatorPayments } from '../../store/reports/operator-payments.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { heldByFilter } from './held-by-filter.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    status: Type.Optional(enumField(paymentStates, 'Only those in this state.')),
    waiting_for: Type.Optional(
      enumField(
        waits,
        'Only scheduled ones that wait for their next attempt, or for their customer.',
      ),
    ),
    held_by: Type.Optional(heldByFilter),
    search: Type.Optional(
      idField(
        'Only those with exactly this id: of an invoice, customer, subscription, transaction, charge, attempt, payment method, event or dispute, ours or the processor’s. Where there is none: whose ids begin with it, of this amount (42, 42.00, 42 EUR), of a disputed card with these last four digits, or of this e-mail address. Whenever it was created.',
      ),
    ),
    created_from: Type.Optional(timeField('Only those whose recovery began then or later.')),
    created_to: Type.Optional(timeField('Only those whose recovery began before.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

export const operatorPaymentSummaryExample = {
  merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
  invoice_id: 'in_20931',
  customer_id: 'cus_82',
  status: 'scheduled' as const,
  amount: 42,
  currency: 'USD',
  failed_at: '2026-03-01T06:02:00.000Z',
  window_ends_at: '2026-03-29T06:02:00.000Z',
  next_attempt_at: '2026-03-02T06:02:00.000Z',
  waiting_for: 'attempt' as const,
  attempt_count: 0,
  created_at: '2026-03-01T06:02:03.000Z',
  updated_at: '2026-03-01T06:02:03.000Z',
};

export const operatorPaymentSummaryShape = Type.Object(
  { merchant_id: merchantIdField, ...paymentSummaryFields },
  {
    title: 'PaymentSummary',
    examples: [operatorPaymentSummaryExample],
  },
);

/** GET /api/payments */
export const listPayments = defineEndpoint({
  method: 'GET',
  path: '/api/payments',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listPayments',
    tag: 'Payments',
    summary: 'List or find payments',
    description: "Of every merchant, unless merchant_id is given: the operator's own report.",
  },
  schema: { query },
  answers: {
    200: pageShape(operatorPaymentSummaryShape, 'One page of them.'),
    ...refusals(400),
  },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'hashEmail' | 'caller'>) {
    const { reports: db, hashEmail } = context;
    const { status, search } = query;
    const input = {
      // What is searched for is found wherever it is, and its page says so.
      ...(search === undefined ? await whoseHere(db, context, query) : whose(context, query)),
      ...present({
        status,
        waitingFor: query.waiting_for,
        heldBy: query.held_by,
        createdFrom: instant(query.created_from),
        createdTo: instant(query.created_to),
      }),
      ...pageOf(query),
    };
    const page =
      search === undefined
        ? await listOperatorPayments(db, input)
        : await findPayments({ db, hashEmail }, { ...input, search });
    return contentAnswer(
      pageJson(page, (payment) => ({
        merchant_id: payment.merchantId,
        ...paymentSummaryJson(payment),
      })),
    );
  },
});

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
