import { limits } from '../../domain/limits.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type {
  ChargeRequest,
  ChargeResult,
  CredentialsCheck,
  LookUpRequest,
  LookUpResult,
} from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, textOf } from '../answer-fields.ts';
import { notMade, requestRefused, unknown } from '../charge-results.ts';
import type { Watched } from '../watched-call.ts';
import type { PaymentAnswer, RecordedPayment } from './client.ts';
import type { CheckoutAccount } from './credentials.ts';
import { answeredPayment, recordedPayment } from './payment.ts';
import { referenceOf } from './reference.ts';

/** Statuses before anything was done: a faulty request, keys, rights, address. */
const refusals: readonly number[] = [400, 401, 403, 404];

/** The body of a payment request: a recurring charge of a stored source, captured at once. */
export function paymentBody(
  request: ChargeRequest,
  more: { readonly units: number; readonly account: CheckoutAccount },
): Fields {
  const { idempotencyKey, currency, paymentMethodId, pspCustomerId, metadata } = request;
  const { processingChannelId } = more.account;
  return {
    source: { type: 'id', id: paymentMethodId },
    amount: more.units,
    currency,
    reference: referenceOf(idempotencyKey),
    payment_type: 'Recurring',
    merchant_initiated: true,
    capture: true,
    ...present({
      processing_channel_id: processingChannelId,
      previous_payment_id: request.networkTransactionId,
    }),
    ...(pspCustomerId?.startsWith('cus_') && { customer: { id: pspCustomerId } }),
    ...(metadata !== undefined && { metadata: flat(metadata) }),
  };
}

/** What it takes of metadata: more, and it refuses the payment. Source: its SDKs, `PaymentRequest`. */
const maxMetadata = { fields: 20, valueLength: 255 } as const;

/** The texts, numbers and truth values of metadata up to the limits; what is over them is left out. */
function flat(metadata: JsonObject): Fields {
  const plain = ['string', 'number', 'boolean'];
  const { fields, valueLength } = maxMetadata;
  const fitting = Object.entries(metadata).filter(
    ([, value]) => plain.includes(typeof value) && String(value).length <= valueLength,
  );
  return Object.fromEntries(fitting.slice(0, fields));
}

/** What a charge came to. Everything that is not certain is `unknown`. */
export function chargeResult(sent: Watched<PaymentAnswer>, request: ChargeRequest): ChargeResult {
  switch (sent.kind) {
    case 'not_sent':
      return notMade(sent.reason);
    case 'lost':
      return unknown(sent.reason);
    case 'refused':
      return refusedResult(sent);
    case 'answered': {
      if ('sdkRefusal' in sent.value) {
        return requestRefused(sent.value.sdkRefusal.slice(0, limits.messageLength));
      }
      return answeredPayment(fieldsOf(sent.value.answer), request);
    }
  }
}

/**
 * A request that Checkout.com refused. 429 is not certain: it is also the answer while another
 * request with the same key is on its way.
 */
function refusedResult(sent: Extract<Watched<PaymentAnswer>, { kind: 'refused' }>): ChargeResult {
  const body = fieldsOf(fieldsOf(sent.error)?.body);
  const reason = statusReason(sent.status, body);
  const isInvalid = sent.status === 422 && body?.error_type === 'request_invalid';
  if (isInvalid) return requestRefused(reason);
  return refusals.includes(sent.status) ? notMade(reason) : unknown(reason);
}

/** What Checkout.com's record says of a charge: one success is the answer, one doubt a doubt. */
export function lookUpResult(
  sent: Watched<readonly RecordedPayment[]>,
  request: LookUpRequest,
): LookUpResult {
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: reasonOf(sent) };
  const results = sent.value.map((record) => recordedPayment(record, request));
  return (
    results.find(({ kind }) => kind === 'succeeded') ??
    results.find(({ kind }) => kind === 'unknown') ??
    results[0] ?? { kind: 'not_found' }
  );
}

/** Whether the key opens an account: by a list of payments, which takes no money. */
export function credentialsResult(sent: Watched<unknown>): CredentialsCheck {
  if (sent.kind === 'answered') return { kind: 'accepted' };
  if (sent.kind === 'refused' && (sent.status === 401 || sent.status === 403)) {
    const reason =
      sent.status === 401
        ? 'Checkout.com does not know this secret_key at this subdomain.'
        : 'The secret_key may not read payments: give it that permission.';
    return { kind: 'refused', reason };
  }
  return { kind: 'unreachable', reason: reasonOf(sent) };
}

export function reasonOf(sent: Exclude<Watched<unknown>, { kind: 'answered' }>): string {
  return sent.kind === 'refused' ? statusReason(sent.status, undefined) : sent.reason;
}

function statusReason(status: number, body: Fields | undefined): string {
  const codes = Array.isArray(body?.error_codes) ? body.error_codes : [];
  const words = codes.filter((code) => /^[a-z0-9_]{1,80}$/.test(textOf(code) ?? '')).slice(0, 5);
  switch (status) {
    case 401:
      return 'HTTP 401: Checkout.com does not know this key.';
    case 403:
      return 'HTTP 403: the key may not do this.';
    case 429:
      return 'HTTP 429: too many requests, or one with this key is on its way.';
    default:
      return words.length > 0
        ? `HTTP ${status}: ${words.join(', ')}`
        : `HTTP ${status} with an answer that cannot be used`;
  }
}
