import type Stripe from 'stripe';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type {
  ChargeRequest,
  ChargeResult,
  LookUpResult,
  ToldCharge,
} from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { chargedCard } from '../charged-card.ts';
import { moneyOf, type StripeAmount } from './amounts.ts';
import { stripeDecline } from './declines.ts';
import { intOf, refOf } from './fields.ts';

export type Definite = Extract<ChargeResult, { kind: 'succeeded' | 'declined' }>;
export type Amount = Extract<StripeAmount, { kind: 'amount' }>;

/** The metadata by which a charge is found again. */
export const keyField = 'recoup_idempotency_key';
const invoiceField = 'recoup_invoice_id';

/** docs.stripe.com/api/metadata: 50 keys of 40 characters without square brackets, 500 a value. */
const metadataLimits = { keys: 50, keyLength: 40, valueLength: 500 };

/** A new intent for a stored method; it is charged once it is confirmed. */
export function intentParams(
  request: ChargeRequest,
  { amount, currency }: Amount,
  customer: string | undefined,
): Stripe.PaymentIntentCreateParams {
  return {
    amount,
    currency,
    ...present({ customer }),
    payment_method: request.paymentMethodId,
    // Nobody is there to be sent elsewhere; without this Stripe wants a return address.
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: metadataOf(request),
  };
}

/** What makes an intent a charge without its payer, and a needed authentication a decline. */
export const offSession: {
  readonly off_session: true;
  readonly error_on_requires_action: true;
  readonly expand: string[];
} = { off_session: true, error_on_requires_action: true, expand: ['latest_charge'] };

/** The merchant's metadata as texts, as far as Stripe takes it, and ours. */
function metadataOf({ metadata, idempotencyKey, invoiceId }: ChargeRequest) {
  const own = { [keyField]: idempotencyKey, [invoiceField]: invoiceId };
  const { keys, keyLength, valueLength } = metadataLimits;
  const fitting = Object.entries(textsOf(metadata ?? {}))
    .filter(([key]) => key !== '' && key.length <= keyLength && !/[[\]]/.test(key) && !(key in own))
    .slice(0, keys - Object.keys(own).length)
    .map(([key, value]) => [key, value.slice(0, valueLength).toWellFormed()]);
  return { ...Object.fromEntries(fitting), ...own };
}

function textsOf(metadata: JsonObject): Record<string, string> {
  const given = Object.entries(metadata).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(
    given.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Whether an intent carries our key. */
export function carriesKey(intent: Fields, idempotencyKey: string): boolean {
  return fieldsOf(intent.metadata)?.[keyField] === idempotencyKey;
}

/** Whether an intent, a charge or an invoice's payment is of this amount. */
export function isOf({ amount, currency }: Amount, object: Fields): boolean {
  return intOf(object.amount) === amount && object.currency === currency;
}

/**
 * What an intent came to that was made for one charge with our key, in the amount that Stripe tells with it:
 * whoever asked compares it. `not_found` is an intent that was never charged: it was not confirmed.
 */
export function intentResult(intent: Fields, key: string): LookUpResult {
  const result = intentOutcome(intent, key);
  const isTold = result.kind === 'succeeded' || result.kind === 'declined';
  return isTold ? { ...result, ...toldOf(intent) } : result;
}

function intentOutcome(intent: Fields, key: string): LookUpResult {
  const intentId = idOf(intent.id);
  if (intentId === undefined || !carriesKey(intent, key)) {
    return { kind: 'unknown', reason: 'Stripe answered about another charge' };
  }
  // Whatever its amount: it may have been set up for an earlier send of the key.
  if (isUncharged(intent)) return { kind: 'not_found' };
  const charge = fieldsOf(intent.latest_charge);
  const error = fieldsOf(intent.last_payment_error);
  const ids = transactionIds(charge, refOf(intent.latest_charge) ?? intentId);
  switch (intent.status) {
    case 'succeeded':
      return intOf(intent.amount_received) === intOf(intent.amount)
        ? { kind: 'succeeded', ...ids }
        : { kind: 'unknown', reason: 'Stripe received another amount than was asked for' };
    case 'requires_action':
      return {
        kind: 'declined',
        ...ids,
        decline: stripeDecline({ error: { code: 'authentication_required' }, charge }),
      };
    case 'requires_payment_method':
    case 'canceled':
      return { kind: 'declined', ...ids, decline: stripeDecline({ error, charge }) };
    default:
      // `processing` (bank debits), `requires_capture`, and what Stripe may add.
      return { kind: 'unknown', reason: 'the payment intent is neither paid nor declined' };
  }
}

/** The intent of our key: the one that was paid, else one that was charged, should there be several. */
export function ownIntent(intents: readonly Fields[], key: string): Fields | undefined {
  const own = intents.filter((intent) => carriesKey(intent, key));
  const paid = own.find((intent) => intent.status === 'succeeded');
  return paid ?? own.find((intent) => !isUncharged(intent)) ?? own[0];
}

const unpaid: readonly unknown[] = ['requires_payment_method', 'requires_action', 'canceled'];

/** Whether an intent's last charge did not succeed and nothing of it is on its way. Others have an error of before. */
export function isUnpaid({ status }: Fields): boolean {
  return unpaid.includes(status);
}

/** Whether an intent was set up and never confirmed, so that no charge was ever begun with it. */
export function isUncharged(intent: Fields): boolean {
  if (intent.status === 'requires_confirmation') return true;
  const isOver = intent.status === 'requires_payment_method' || intent.status === 'canceled';
  const hasCharge = refOf(intent.latest_charge) !== undefined;
  return isOver && !hasCharge && fieldsOf(intent.last_payment_error) === undefined;
}

/** What a charge came to; undefined while it is pending, or where it is no charge. */
export function chargeObjectResult(charge: Fields): Definite | undefined {
  const chargeId = idOf(charge.id);
  if (chargeId === undefined) return undefined;
  const ids = { ...transactionIds(charge, chargeId), ...toldOf(charge) };
  if (charge.status === 'succeeded' && charge.paid === true) return { kind: 'succeeded', ...ids };
  if (charge.status !== 'failed') return undefined;
  return { kind: 'declined', ...ids, decline: stripeDecline({ charge }) };
}

/** What Stripe says of an intent's or a charge's money and mode, to be spread into a result. */
export function toldOf(object: Fields | undefined): { readonly told?: ToldCharge } {
  const amount = intOf(object?.amount);
  const currency = textOf(object?.currency);
  const money = amount === undefined || currency === undefined ? {} : moneyOf(amount, currency);
  const isLive = object?.livemode;
  const told = { ...money, ...(typeof isLive === 'boolean' && { isLive }) };
  return Object.keys(told).length === 0 ? {} : { told };
}

/**
 * A charge's id, not its intent's: each try of an invoice's intent has a charge of its own. With
 * what it tells of its card; one that was charged by a wallet has the fingerprint of the wallet's
 * number.
 */
export function transactionIds(charge: Fields | undefined, pspTransactionId: string) {
  const card = fieldsOf(fieldsOf(charge?.payment_method_details)?.card);
  const networkTransactionId = idOf(textOf(card?.network_transaction_id));
  return {
    pspTransactionId,
    ...present({ networkTransactionId }),
    ...chargedCard({
      fingerprint: card?.fingerprint,
      scheme: card?.network ?? card?.brand,
      isToken: fieldsOf(card?.network_token)?.used,
    }),
  };
}
