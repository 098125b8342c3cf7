import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { idField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { paymentSummaryJson } from '../../http/views/payment-shape.ts';
import type {
  CustomerAttempt,
  CustomerDispute,
  CustomerMethod,
  CustomerRecord,
  CustomerTotal,
} from '../../recovery/reports/customer.ts';
import { readCustomer } from '../../store/reports/customers/read-customer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import {
  operatorPaymentSummaryExample,
  operatorPaymentSummaryShape,
} from '../payments/list-payments.ts';
import { merchantIdField, refusals } from '../shapes.ts';

const customerPath = Type.Object({
  id: merchantIdField,
  customer_id: idField("The customer's id in the merchant's subscription platform."),
});

const totalShape = Type.Object(
  {
    currency: Type.String(),
    payments: Type.Integer({ description: 'Failed payments that were reported.' }),
    failed_amount: Type.Number(),
    recovered_amount: Type.Number(),
    open_amount: Type.Number({ description: 'Still under recovery.' }),
  },
  { title: 'CustomerTotal' },
);

const methodShape = Type.Object(
  {
    payment_method_id: Type.String(),
    scheme: Type.Optional(Type.String()),
    funding_source: Type.Optional(Type.String()),
    bin: Type.Optional(Type.String()),
    issuer_country: Type.Optional(Type.String()),
    removed: Type.Boolean(),
    since: timeField('When it was first seen.'),
    last_change: Type.Optional(
      Type.Object({ reason: Type.String(), at: timeField('When.') }, { title: 'MethodChange' }),
    ),
  },
  { title: 'CustomerMethod' },
);

const attemptShape = Type.Object(
  {
    invoice_id: Type.String(),
    number: Type.Integer(),
    state: Type.String(),
    at: timeField('When it began.'),
    amount: Type.Number(),
    currency: Type.String(),
    payment_method_id: Type.Optional(Type.String({ description: 'The method charged last.' })),
    code: Type.Optional(Type.String({ description: 'Of a decline.' })),
  },
  { title: 'CustomerAttempt' },
);

const disputeShape = Type.Object(
  {
    id: Type.String(),
    psp_dispute_id: Type.String(),
    state: Type.String(),
    invoice_id: Type.String(),
    opened_at: timeField('When it was opened.'),
    reason: Type.Optional(Type.String()),
    amount: Type.Optional(Type.Number()),
    currency: Type.Optional(Type.String()),
    respond_by: Type.Optional(timeField('Until when it can be answered.')),
  },
  { title: 'CustomerDispute' },
);

const customerShape = Type.Object(
  {
    merchant_id: merchantIdField,
    customer_id: Type.String(),
    totals: Type.Array(totalShape, { description: 'By currency, that of most payments first.' }),
    payments: Type.Array(operatorPaymentSummaryShape, { description: 'The newest 200.' }),
    methods: Type.Array(methodShape, { description: 'Payment methods, removed ones too.' }),
    attempts: Type.Array(attemptShape, {
      description: 'The newest 200, of all of the payments.',
    }),
    disputes: Type.Array(disputeShape, {
      description: "Of the charges of the customer's payments.",
    }),
  },
  {
    title: 'Customer',
    description: "A customer's account at a merchant, as far as it was reported to Recoup.",
    examples: [
      {
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        customer_id: 'cus_82',
        totals: [
          {
            currency: 'USD',
            payments: 3,
            failed_amount: 126,
            recovered_amount: 84,
            open_amount: 42,
          },
        ],
        payments: [operatorPaymentSummaryExample],
        methods: [
          {
            payment_method_id: 'pm_1001',
            scheme: 'visa',
            removed: false,
            since: '2026-01-01T06:02:00.000Z',
          },
        ],
        attempts: [
          {
            invoice_id: 'in_20931',
            number: 1,
            state: 'declined',
            at: '2026-03-02T06:02:00.000Z',
            amount: 42,
            currency: 'USD',
            payment_method_id: 'pm_1001',
            code: '51',
          },
        ],
        disputes: [],
      },
    ],
  },
);

/** GET /api/merchants/{id}/customers/{customer_id} */
export const showCustomer = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/customers/{customer_id}',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showCustomer',
    tag: 'Customers',
    summary: "Show a customer's account: payments, methods, attempts and disputes",
  },
  schema: { path: customerPath },
  answers: { 200: customerShape, ...refusals(404) },
  async answer({ path }, { reports: db }: Pick<OperatorDeps, 'reports'>) {
    const { id: merchantId, customer_id: customerId } = path;
    const record = await readCustomer(db, { merchantId, customerId });
    if (record === undefined) {
      throw new AppError('not_found', 'The merchant has no payment from this customer.');
    }
    return contentAnswer(customerJson(merchantId, customerId, record));
  },
});

function customerJson(
  merchantId: string,
  customerId: string,
  { totals, payments, methods, attempts, disputes }: CustomerRecord,
): Type.Static<typeof customerShape> {
  return {
    merchant_id: merchantId,
    customer_id: customerId,
    totals: totals.map(totalJson),
    payments: payments.map((payment) => ({
      merchant_id: merchantId,
      ...paymentSummaryJson(payment),
    })),
    methods: methods.map(methodJson),
    attempts: attempts.map(attemptJson),
    disputes: disputes.map(disputeJson),
  };
}

function totalJson(total: CustomerTotal): Type.Static<typeof totalShape> {
  const { currency, payments } = total;
  const major = (amountMinor: number): number => decimalNumber({ amountMinor, currency });
  return {
    currency,
    payments,
    failed_amount: major(total.failedMinor),
    recovered_amount: major(total.recoveredMinor),
    open_amount: major(total.openMinor),
  };
}

function methodJson(method: CustomerMethod): Type.Static<typeof methodShape> {
  const { signal } = method;
  return present({
    payment_method_id: method.paymentMethodId,
    scheme: method.scheme,
    funding_source: method.fundingSource,
    bin: method.bin,
    issuer_country: method.issuerCountry,
    removed: method.isRemoved,
    since: method.since.toISOString(),
    last_change: signal && { reason: signal.reason, at: signal.at.toISOString() },
  });
}

function attemptJson(attempt: CustomerAttempt): Type.Static<typeof attemptShape> {
  return present({
    invoice_id: attempt.invoiceId,
    number: attempt.number,
    state: attempt.state,
    at: attempt.at.toISOString(),
    amount: decimalNumber(attempt),
    currency: attempt.currency,
    payment_method_id: attempt.paymentMethodId,
    code: attempt.code,
  });
}

function disputeJson(dispute: CustomerDispute): Type.Static<typeof disputeShape> {
  const { amountMinor, currency } = dispute;
  const hasAmount = amountMinor !== undefined && currency !== undefined;
  return present({
    id: dispute.disputeId,
    psp_dispute_id: dispute.pspDisputeId,
    state: dispute.state,
    invoice_id: dispute.invoiceId,
    opened_at: dispute.openedAt.toISOString(),
    reason: dispute.reason,
    amount: hasAmount ? decimalNumber({ amountMinor, currency }) : undefined,
    currency,
    respond_by: dispute.respondBy?.toISOString(),
  });
}
