import type { ChargeRequest, ChargeResult } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import { notMade } from '../../charge-results.ts';
import { beforeCharge, chargeFailure, type Failure } from '../failures.ts';
import { intOf, itemsOf, refOf } from '../fields.ts';
import { type Amount, intentParams, offSession, ownIntent } from '../map.ts';
import { type ChargeDeps, intentChargeResult } from './intent-charge.ts';
import { intentsOf, isMarked, markOf } from './invoice-charges.ts';
import { resolvePaid, sendPay, whoPaid } from './paid-invoice.ts';

type InvoiceRequest = ChargeRequest & { readonly pspInvoiceId: string };

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
  request: InvoiceRequest,
  amount: Amount,
): Promise<ChargeResult> {
  const { pspInvoiceId } = request;
  const read = await deps.client.ask(deps.limits.stepMs, (stripe, options) =>
    stripe.invoices.retrieve(pspInvoiceId, { expand: withIntents }, options),
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
  if (invoice.status === 'paid') return resolvePaid(deps, request, invoice, amount);
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    return notMade('the invoice at Stripe is not open');
  }
  if (left === amount.amount) return payInvoice(deps, request, amount, invoice);
  if (left < amount.amount) return notMade('less is left to pay on the invoice at Stripe');
  return payPart(deps, request, amount, invoice);
}

/**
 * Marks the try on the invoice, then pays it. The mark says which charges were there before: a key that
 * is sent again keeps the mark of its first time.
 */
async function payInvoice(
  deps: ChargeDeps,
  request: InvoiceRequest,
  amount: Amount,
  invoice: Fields,
): Promise<ChargeResult> {
  const { client, limits } = deps;
  const { pspInvoiceId, idempotencyKey } = request;
  if (!isMarked(invoice, idempotencyKey)) {
    const metadata = markOf(idempotencyKey, intentsOf(itemsOf(invoice.payments)));
    const marked = await client.ask(limits.stepMs, (stripe, options) =>
      stripe.invoices.update(pspInvoiceId, { metadata }, options),
    );
    if (marked.kind !== 'answered') return beforeCharge('the try was not marked', marked);
  }
  const sent = await sendPay(deps, request, amount, limits.chargeMs(2));
  if (sent.kind !== 'refused') return sent;
  return afterRefusal(deps, request, amount, sent.failure);
}

/** "Already paid" has no code of its own: the invoice tells whether it was the reason. */
async function afterRefusal(
  deps: ChargeDeps,
  request: InvoiceRequest,
  amount: Amount,
  failure: Failure,
): Promise<ChargeResult> {
  if (failure.kind !== 'refused' || failure.status !== 400) return chargeFailure(failure);
  const read = await deps.client.ask(deps.limits.stepMs, (stripe, options) =>
    stripe.invoices.retrieve(request.pspInvoiceId, {}, options),
  );
  const invoice = read.kind === 'answered' ? fieldsOf(read.value) : undefined;
  if (invoice?.status !== 'paid') return chargeFailure(failure);
  return whoPaid(deps, request, { invoice, amount, failure });
}

async function payPart(
  deps: ChargeDeps,
  request: InvoiceRequest,
  amount: Amount,
  invoice: Fields,
): Promise<ChargeResult> {
  const { client, limits } = deps;
  const { idempotencyKey } = request;
  const setUp = await setUpPart(deps, request, amount, invoice);
  if (setUp.kind !== 'set_up') return setUp;
  const sent = await client.ask(limits.chargeMs(3), (stripe, options) =>
    stripe.paymentIntents.confirm(setUp.intentId, offSession, { ...options, idempotencyKey }),
  );
  return intentChargeResult(deps, sent, idempotencyKey);
}

type PartSetUp = ChargeResult | { readonly kind: 'set_up'; readonly intentId: string };

/**
 * The intent of a part payment, attached to its invoice. One that an earlier send of the key has left
 * there unconfirmed is taken again, with what is allowed now: the merchant may have changed the amount,
 * and Stripe refuses a second set-up under the key with another one.
 */
async function setUpPart(
  deps: ChargeDeps,
  request: InvoiceRequest,
  amount: Amount,
  invoice: Fields,
): Promise<PartSetUp> {
  const left = ownIntent(intentsOf(itemsOf(invoice.payments)), request.idempotencyKey);
  if (left !== undefined && left.status === 'requires_confirmation') {
    return takeAgain(deps, request, amount, left);
  }
  return makePart(deps, request, amount, refOf(invoice.customer));
}

async function takeAgain(
  { client, limits }: ChargeDeps,
  { paymentMethodId }: InvoiceRequest,
  { amount }: Amount,
  left: Fields,
): Promise<PartSetUp> {
  const intentId = idOf(left.id) ?? '';
  const changed = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentIntents.update(intentId, { amount, payment_method: paymentMethodId }, options),
  );
  if (changed.kind !== 'answered') return beforeCharge('the part payment was not set up', changed);
  return { kind: 'set_up', intentId };
}

async function makePart(
  { client, limits }: ChargeDeps,
  request: InvoiceRequest,
  amount: Amount,
  customer: string | undefined,
): Promise<PartSetUp> {
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
  return attached.kind === 'answered'
    ? { kind: 'set_up', intentId }
    : beforeCharge('the part payment was not attached to the invoice', attached);
}
