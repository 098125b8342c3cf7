import type { ChargeRequest, ChargeResult } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import { beforeCharge, chargeFailure, type Failure } from '../failures.ts';
import { intOf, itemsOf, refOf } from '../fields.ts';
import { type Amount, intentParams, isOf, offSession, transactionIds } from '../map.ts';
import { type ChargeDeps, cardErrorOf, declined, intentChargeResult } from './intent-charge.ts';

/** The most that may be expanded: four levels (docs.stripe.com/expand). */
const withIntents = ['payments.data.payment.payment_intent'];

/**
 * Charges an invoice that Stripe keeps, so that it is paid there and Stripe stops asking for it.
 * Exactly what is left is paid through the invoice itself. Less is paid by an intent of its own,
 * attached to the invoice before it is confirmed (docs.stripe.com/invoicing/partial-payments):
 * attached afterwards, a lost call would leave the invoice open and Stripe would charge it again.
 */
export async function chargeInvoice(
  deps: ChargeDeps,
  request: ChargeRequest & { readonly pspInvoiceId: string },
  amount: Amount,
): Promise<ChargeResult> {
  const { pspInvoiceId } = request;
  const read = await deps.client.ask(deps.limits.stepMs, (stripe, options) =>
    stripe.invoices.retrieve(pspInvoiceId, {}, options),
  );
  if (read.kind !== 'answered') return beforeCharge('the invoice was not read', read);
  const invoice = fieldsOf(read.value);
  const left = intOf(invoice?.amount_remaining);
  if (invoice?.id !== pspInvoiceId || left === undefined) {
    return notMade('the invoice was not read: Stripe gave an answer that cannot be understood');
  }
  if (invoice.currency !== amount.currency) {
    return notMade('the invoice at Stripe is in another currency');
  }
  // A paid one is asked for as well: Stripe answers a key that paid it with what it answered then.
  if (invoice.status === 'paid') return payInvoice(deps, request, amount);
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    return notMade('the invoice at Stripe is not open');
  }
  if (left === amount.amount) return payInvoice(deps, request, amount);
  if (left < amount.amount) return notMade('less is left to pay on the invoice at Stripe');
  return payPart(deps, request, amount, refOf(invoice.customer));
}

async function payInvoice(
  deps: ChargeDeps,
  request: ChargeRequest & { readonly pspInvoiceId: string },
  amount: Amount,
): Promise<ChargeResult> {
  const { client, limits } = deps;
  const { pspInvoiceId, paymentMethodId, idempotencyKey } = request;
  // Sources and cards of the time before payment methods have a parameter of their own.
  const isSource = /^(src|card|ba)_/.test(paymentMethodId);
  const method = isSource ? { source: paymentMethodId } : { payment_method: paymentMethodId };
  const sent = await client.ask(limits.chargeMs(1), (stripe, options) =>
    stripe.invoices.pay(
      pspInvoiceId,
      { ...method, off_session: true, expand: withIntents },
      { ...options, idempotencyKey },
    ),
  );
  if (sent.kind === 'answered') return paidResult(deps, fieldsOf(sent.value), request, amount);
  const error = cardErrorOf(sent) ?? actionErrorOf(sent);
  if (error === undefined) return chargeFailure(sent);
  const chargeId = idOf(error.charge);
  const intentId = refOf(error.payment_intent);
  if (chargeId === undefined && intentId === undefined && cardErrorOf(sent) !== undefined) {
    return { kind: 'unknown', reason: 'Stripe declined without naming our charge' };
  }
  return declined(deps, error, chargeId, intentId);
}

/** The payer would have to act (docs.stripe.com/error-codes), so the invoice was not paid. */
function actionErrorOf(failure: Failure): Fields | undefined {
  if (failure.kind !== 'refused' || ![400, 402].includes(failure.status)) return undefined;
  const { code, fields } = failure.error;
  return code === 'invoice_payment_intent_requires_action' ? fields : undefined;
}

/** The answer of a paid invoice, and the charge that paid it: our method, our amount. */
async function paidResult(
  { client, limits }: ChargeDeps,
  invoice: Fields | undefined,
  request: ChargeRequest & { readonly pspInvoiceId: string },
  amount: Amount,
): Promise<ChargeResult> {
  if (invoice?.id !== request.pspInvoiceId || invoice.status !== 'paid') {
    return { kind: 'unknown', reason: 'Stripe has not yet marked the invoice paid' };
  }
  const intent = intentsOf(itemsOf(invoice.payments)).find(
    (item) =>
      item.status === 'succeeded' &&
      isOf(amount, item) &&
      (refOf(item.payment_method) ?? refOf(item.source)) === request.paymentMethodId,
  );
  const intentId = idOf(intent?.id);
  if (intentId === undefined) {
    return { kind: 'unknown', reason: 'the invoice at Stripe was paid otherwise' };
  }
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] }, options),
  );
  const latest = read.kind === 'answered' ? fieldsOf(read.value)?.latest_charge : undefined;
  const chargeId = refOf(latest) ?? refOf(intent?.latest_charge);
  return { kind: 'succeeded', ...transactionIds(fieldsOf(latest), chargeId ?? intentId) };
}

async function payPart(
  deps: ChargeDeps,
  request: ChargeRequest & { readonly pspInvoiceId: string },
  amount: Amount,
  customer: string | undefined,
): Promise<ChargeResult> {
  const { client, limits } = deps;
  const { pspInvoiceId, idempotencyKey } = request;
  // Stripe remembers a key for one address only, so each step has its own.
  const made = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentIntents.create(intentParams(request, amount, customer), {
      ...options,
      idempotencyKey: `${idempotencyKey}-create`,
    }),
  );
  if (made.kind !== 'answered') return beforeCharge('the part payment was not set up', made);
  const intentId = idOf(fieldsOf(made.value)?.id);
  if (intentId === undefined) {
    return notMade('the part payment was not set up: Stripe named no payment intent');
  }
  const attached = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.invoices.attachPayment(
      pspInvoiceId,
      { payment_intent: intentId },
      { ...options, idempotencyKey: `${idempotencyKey}-attach` },
    ),
  );
  if (attached.kind !== 'answered') {
    return beforeCharge('the part payment was not attached to the invoice', attached);
  }
  const sent = await client.ask(limits.chargeMs(3), (stripe, options) =>
    stripe.paymentIntents.confirm(intentId, offSession, { ...options, idempotencyKey }),
  );
  return intentChargeResult(deps, sent, amount, idempotencyKey);
}

/** The intents of an invoice's payments, where they were expanded. */
export function intentsOf(payments: readonly Fields[]): readonly Fields[] {
  return payments
    .map((payment) => fieldsOf(fieldsOf(payment.payment)?.payment_intent))
    .filter((intent) => intent !== undefined);
}

function notMade(reason: string): ChargeResult {
  return { kind: 'not_made', reason };
}
