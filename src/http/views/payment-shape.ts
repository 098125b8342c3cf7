import { Type } from 'typebox';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { holds, paymentStates, stopReasons, waits } from '../../domain/states.ts';
import type { PaymentSummary, PaymentView } from '../../recovery/api.ts';
import { enumField, timeField } from '../fields.ts';
import { attemptJson, attemptShape } from './attempt-shape.ts';
import { contactJson, contactShape } from './contact-shape.ts';
import { decisionField } from './decision-shape.ts';
import { deliveryJson, deliveryShape } from './delivery-shape.ts';
import { freeObject } from './free-object.ts';

/** A payment under recovery as both APIs show it; amounts are decimals in major units. */
export const paymentSummaryFields = {
  invoice_id: Type.String(),
  customer_id: Type.String(),
  status: enumField(paymentStates, 'The last three are final.'),
  stop_reason: Type.Optional(enumField(stopReasons, 'Why it was stopped.')),
  stop_detail: Type.Optional(Type.String({ description: "The stopper's own words." })),
  amount: Type.Number(),
  currency: Type.String(),
  failed_at: timeField('When it failed at the merchant.'),
  window_ends_at: timeField('The last moment of a try.'),
  next_attempt_at: Type.Optional(timeField('When it is tried next.')),
  waiting_for: Type.Optional(
    enumField(
      waits,
      'Of a scheduled payment. customer: nothing is tried before the window ends unless a payment method is added or updated.',
    ),
  ),
  held_by: Type.Optional(
    enumField(
      holds,
      'Of a scheduled payment that is tried no more until a person decides. incident: what contradicts the record froze it. set_aside: it failed each time, or somebody put it by.',
    ),
  ),
  attempt_count: Type.Integer({ description: 'Tries that reached the PSP, or may have.' }),
  created_at: timeField('When recovery began.'),
  updated_at: timeField('When it changed last.'),
};

export const paymentSummaryShape = Type.Object(paymentSummaryFields, { title: 'PaymentSummary' });

export const paymentFields = {
  ...paymentSummaryFields,
  joined_invoice_ids: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Other ids under which the same debt was reported. Each of them names this payment.',
    }),
  ),
  merchant_invoice_id: Type.Optional(
    Type.String({
      description:
        'The id that retry-status calls and webhooks carry, where the PSP reported the debt first ' +
        'and the merchant then under its own id.',
    }),
  ),
  psp_invoice_id: Type.Optional(
    Type.String({ description: 'The invoice at the PSP that is paid there.' }),
  ),
  subscription_id: Type.Optional(Type.String()),
  transaction_id: Type.String(),
  original_psp_transaction_id: Type.String(),
  psp: Type.String(),
  custom: Type.Optional(freeObject("The merchant's own fields.")),
  decision: Type.Optional(decisionField('The decision that stands: what is next, and why.')),
  foreign_attempts: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ description: 'How many.' }),
        last_at: timeField('When the last one was made.'),
      },
      {
        description:
          'Charges of this invoice by somebody else since its recovery began, such as retries that ' +
          'are still switched on at the PSP.',
      },
    ),
  ),
  attempts: Type.Array(attemptShape),
  deliveries: Type.Array(deliveryShape),
  customer_contacts: Type.Optional(
    Type.Array(contactShape, {
      description: 'What the customer was told and did, the oldest first.',
    }),
  ),
};

export const paymentShape = Type.Object(paymentFields, { title: 'Payment' });

export function paymentSummaryJson(
  payment: PaymentSummary,
): Type.Static<typeof paymentSummaryShape> {
  return present({
    invoice_id: payment.invoiceId,
    customer_id: payment.customerId,
    status: payment.status,
    stop_reason: payment.stopReason,
    stop_detail: payment.stopDetail,
    amount: decimalNumber(payment),
    currency: payment.currency,
    failed_at: payment.failedAt.toISOString(),
    window_ends_at: payment.windowEndsAt.toISOString(),
    next_attempt_at: payment.nextAttemptAt?.toISOString(),
    waiting_for: payment.waitingFor,
    held_by: payment.heldBy,
    attempt_count: payment.attemptCount,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
  });
}

export function paymentJson(payment: PaymentView): Type.Static<typeof paymentShape> {
  return {
    ...paymentSummaryJson(payment),
    ...present({
      joined_invoice_ids: payment.joinedInvoiceIds && [...payment.joinedInvoiceIds],
      merchant_invoice_id: payment.merchantInvoiceId,
      psp_invoice_id: payment.pspInvoiceId,
      subscription_id: payment.subscriptionId,
      transaction_id: payment.transactionId,
      original_psp_transaction_id: payment.originalPspTransactionId,
      psp: payment.psp,
      custom: payment.custom,
      decision: payment.decision,
      foreign_attempts: payment.foreignAttempts && {
        count: payment.foreignAttempts.count,
        last_at: payment.foreignAttempts.lastAt.toISOString(),
      },
      attempts: payment.attempts.map(attemptJson),
      deliveries: payment.deliveries.map(deliveryJson),
      customer_contacts: payment.customerContacts?.map(contactJson),
    }),
  };
}
