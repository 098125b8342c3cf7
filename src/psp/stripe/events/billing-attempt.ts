import { decimalNumber } from '../../../domain/money.ts';
import { billingPeriods } from '../../../domain/payment-event.ts';
import { present } from '../../../domain/present.ts';
import { type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import { moneyOf } from '../amounts.ts';
import type { StripeClient } from '../client.ts';
import { type Failure, failureReason } from '../failures.ts';
import { createdMs, intOf, itemsOf, refOf, timeOf } from '../fields.ts';
import type { StripeEvent } from './event.ts';
import { chargeOf, intentIdsOf, subscriptionOf } from './invoice-shape.ts';
import type { ParsedReading } from './parse-event.ts';
import { transactionBody } from './transaction-body.ts';

export interface BillingAttemptDeps {
  readonly client: StripeClient;
  /** For each question to Stripe. */
  readonly timeoutMs: number;
}

type Unavailable = Extract<ParsedReading, { kind: 'unavailable' }>;
type Read =
  | { readonly kind: 'read'; readonly value: Fields | undefined }
  | { readonly kind: 'gone' }
  | Unavailable;

const notUsed = { kind: 'not_used' } as const;
const withOwners = [
  'payments.data.payment.payment_intent',
  'customer',
  'parent.subscription_details.subscription',
];

/**
 * A try of Stripe's own to charge a subscription's invoice, as a payment event. The event has the
 * invoice only, in the shape of its endpoint's API version: who owes and what was charged is read
 * through the API. Invoices of no subscription are not dunned, so they are not used.
 */
export async function billingAttempt(
  deps: BillingAttemptDeps,
  event: StripeEvent,
): Promise<ParsedReading> {
  const invoiceId = idOf(event.object.id);
  const success = event.type !== 'invoice.payment_failed';
  if (invoiceId === undefined || subscriptionOf(event.object) === undefined) return notUsed;
  // A trial's invoice of nothing is "paid" without a charge.
  if (success && event.object.amount_paid === 0) return notUsed;
  const read = await readInvoice(deps, invoiceId);
  if (read.kind === 'gone') return notUsed;
  if (read.kind === 'unavailable') return read;
  const invoice = read.value ?? {};
  const charge = await chargeOfEvent(deps, event, invoice, success);
  if (charge.kind === 'unavailable') return charge;
  const found = charge.kind === 'read' ? charge.value : undefined;
  const body = paymentEvent(event, invoice, found, success);
  return body === undefined
    ? notUsed
    : { kind: 'billing_attempt', event: body, pspInvoiceId: invoiceId };
}

async function readInvoice({ client, timeoutMs }: BillingAttemptDeps, id: string): Promise<Read> {
  const read = await client.ask(timeoutMs, (stripe, options) =>
    stripe.invoices.retrieve(id, { expand: withOwners }, options),
  );
  if (read.kind !== 'answered') return missing(read);
  const invoice = fieldsOf(read.value);
  return invoice?.id === id ? { kind: 'read', value: invoice } : unreadable;
}

const unreadable: Unavailable = {
  kind: 'unavailable',
  reason: 'Stripe gave an answer that cannot be understood',
};

function missing(failure: Failure): { readonly kind: 'gone' } | Unavailable {
  const isGone = failure.kind === 'refused' && failure.status === 404;
  return isGone ? { kind: 'gone' } : { kind: 'unavailable', reason: failureReason(failure) };
}

/** The charge that an event is about: the one it names, else the last of its kind until then. */
async function chargeOfEvent(
  { client, timeoutMs }: BillingAttemptDeps,
  event: StripeEvent,
  invoice: Fields,
  success: boolean,
): Promise<Read> {
  const named = chargeOf(event.object);
  if (named !== undefined) {
    const read = await client.ask(timeoutMs, (stripe, options) =>
      stripe.charges.retrieve(named, {}, options),
    );
    return read.kind === 'answered' ? { kind: 'read', value: fieldsOf(read.value) } : missing(read);
  }
  const intentIds = new Set([...intentIdsOf(event.object), ...intentIdsOf(invoice)]);
  const charges: Fields[] = [];
  for (const intentId of intentIds) {
    const read = await client.ask(timeoutMs, (stripe, options) =>
      stripe.charges.list({ payment_intent: intentId, limit: 100 }, options),
    );
    if (read.kind !== 'answered') return missing(read);
    charges.push(...itemsOf(read.value));
  }
  const status = success ? 'succeeded' : 'failed';
  const until = event.occurredAt.getTime();
  const fitting = charges
    .filter((charge) => charge.status === status && createdMs(charge) <= until)
    .toSorted((a, b) => createdMs(b) - createdMs(a));
  return { kind: 'read', value: fitting[0] };
}

type BillingEvent = Extract<ParsedReading, { kind: 'billing_attempt' }>['event'];

function paymentEvent(
  event: StripeEvent,
  invoice: Fields,
  charge: Fields | undefined,
  success: boolean,
): BillingEvent | undefined {
  const invoiceId = idOf(invoice.id);
  const customer = refOf(invoice.customer);
  const subscription = subscriptionBody(invoice);
  const createdAt = timeOf(invoice.created);
  if (invoiceId === undefined || customer === undefined) return undefined;
  if (subscription === undefined || createdAt === undefined) return undefined;
  const due = success ? invoice.amount_paid : invoice.amount_remaining;
  const amount = intOf(charge?.amount) ?? intOf(due) ?? 0;
  const money = moneyOf(amount, String(charge?.currency ?? invoice.currency));
  // A failed try of nothing leaves nothing to recover.
  if (money === undefined || (money.amountMinor === 0 && !success)) return undefined;
  const customerSince = timeOf(fieldsOf(invoice.customer)?.created);
  const priced = { amount: decimalNumber(money), currency: money.currency };
  return {
    customer: {
      id: customer,
      psp_id: customer,
      ...(customerSince !== undefined && { created_at: customerSince.toISOString() }),
    },
    subscription,
    invoice: { id: invoiceId, created_at: createdAt.toISOString() },
    transactions: [transactionBody({ event, invoice, charge, success, ...priced })],
  };
}

function subscriptionBody(invoice: Fields): BillingEvent['subscription'] | undefined {
  const details = fieldsOf(fieldsOf(invoice.parent)?.subscription_details);
  const subscription = fieldsOf(details?.subscription);
  const id = subscriptionOf(invoice);
  const start = timeOf(subscription?.start_date) ?? timeOf(subscription?.created);
  if (id === undefined || start === undefined) return undefined;
  const end = timeOf(subscription?.ended_at) ?? timeOf(subscription?.cancel_at);
  const price = fieldsOf(itemsOf(subscription?.items)[0]?.price);
  const product = refOf(price?.product);
  const billing = billingOf(fieldsOf(price?.recurring));
  return {
    id,
    start_date: start.toISOString(),
    ...(end !== undefined && { end_date: end.toISOString() }),
    ...present({ product_id: product, billing }),
  };
}

function billingOf(recurring: Fields | undefined): BillingEvent['subscription']['billing'] {
  const period = billingPeriods.find((known) => known === recurring?.interval);
  const frequency = intOf(recurring?.interval_count);
  if (period === undefined) return undefined;
  return { period, ...(frequency !== undefined && frequency > 0 && { frequency }) };
}
