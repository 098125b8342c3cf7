import { limits } from '../../domain/limits.ts';
import { decimalText } from '../../domain/money.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type {
  ChargeRequest,
  ChargeResult,
  CredentialsCheck,
  LookUpRequest,
  LookUpResult,
} from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, retryAfterMs, textOf } from '../answer-fields.ts';
import { notMade, requestRefused, unknown } from '../charge-results.ts';
import type { Watched } from '../watched-call.ts';
import type { SaleAnswer } from './client.ts';
import type { BraintreeAccount } from './credentials.ts';
import {
  resultOfAll,
  retryIdsOf,
  type TransactionResult,
  transactionResult,
} from './transaction.ts';

/** Statuses before anything was done: keys, rights, address, SDK, load. */
const refusals: readonly number[] = [400, 401, 403, 404, 426, 429];

/**
 * Errors of the API request key after which a charge may exist under it: another request was sent
 * with it, one is on its way, one failed, Braintree failed. By the SDK's validation_error_codes.
 */
const keyErrors: readonly string[] = ['915232', '915233', '915234', '915235'];
/** The account has no at-most-once processing: the key is refused, and nothing was made. */
const keyNotAllowed = '915231';

/** The attributes of a sale. `useKey`: with at-most-once processing, where the account has it. */
export function saleAttributes(
  request: ChargeRequest,
  more: { readonly merchantAccountId?: string; readonly useKey: boolean },
): Fields {
  const { idempotencyKey, pspInvoiceId, billingAddress } = request;
  const { merchantAccountId, useKey } = more;
  return {
    amount: decimalText(request),
    paymentMethodToken: request.paymentMethodId,
    orderId: idempotencyKey,
    ...(useKey && { apiRequestKey: idempotencyKey }),
    // Initiated by the merchant, one of a series: what the networks call recurring.
    transactionSource: 'recurring',
    // An invoice at Braintree is the balance of a subscription: the charge is to settle that.
    ...present({ merchantAccountId, subscriptionId: pspInvoiceId }),
    ...(billingAddress !== undefined && { billing: billing(billingAddress) }),
    options: { submitForSettlement: true },
  };
}

/** The parts of an address that a merchant's answer may have; Braintree reads two names. */
function billing(address: JsonObject): Fields {
  const name = textOf(address.name)?.trim();
  const cut = name?.lastIndexOf(' ') ?? -1;
  const parts = {
    firstName: cut > 0 ? name?.slice(0, cut).trim() : undefined,
    lastName: cut > 0 ? name?.slice(cut + 1) : name,
    locality: textOf(address.city),
    region: textOf(address.state),
    postalCode: textOf(address.zip),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== undefined));
}

/** What a sale came to. Everything that is not certain is `unknown`. */
export function saleResult(sent: Watched<SaleAnswer>, request: ChargeRequest): ChargeResult {
  switch (sent.kind) {
    case 'not_sent':
      return notMade(sent.reason);
    case 'lost':
      return unknown(sent.reason);
    case 'refused': {
      const reason = statusReason(sent.status);
      if (!refusals.includes(sent.status)) return unknown(reason);
      const waitMs = retryAfterMs(sent.headers);
      return { ...notMade(reason), ...present({ retryAfterMs: waitMs }) };
    }
    case 'answered': {
      const transaction = fieldsOf(sent.value.transaction);
      if (transaction !== undefined) return answeredResult(sent.value, transaction, request);
      return requestFault(sent);
    }
  }
}

/** An answer with a transaction: its success and its status must say the same. */
function answeredResult(
  answer: SaleAnswer,
  transaction: Fields,
  request: ChargeRequest,
): TransactionResult {
  const result = transactionResult(transaction, request);
  const isPlain = answer.success === (result.kind === 'succeeded') || result.kind === 'unknown';
  return isPlain ? result : { kind: 'unknown', reason: 'an answer that contradicts itself' };
}

/** Validation errors and no transaction: Braintree refused the request as such. */
function requestFault(sent: Extract<Watched<SaleAnswer>, { kind: 'answered' }>): ChargeResult {
  const { success, message } = sent.value;
  const codes = errorCodes(sent.value);
  if (success !== false || sent.status !== 422 || (codes.length === 0 && !textOf(message))) {
    return { kind: 'unknown', reason: 'an answer that cannot be understood' };
  }
  const words = `${textOf(message) ?? 'no words'} (${codes.join(', ') || 'no code'})`;
  const reason = `Braintree refused the request: ${words}`.slice(0, limits.messageLength);
  const isUnknown = codes.some((code) => keyErrors.includes(code));
  return isUnknown ? unknown(reason) : requestRefused(reason);
}

/** Whether the account has no at-most-once processing; nothing was made, and no key is needed. */
export function isKeyNotAllowed(sent: Watched<SaleAnswer>): boolean {
  return (
    sent.kind === 'answered' &&
    sent.status === 422 &&
    sent.value.transaction === undefined &&
    errorCodes(sent.value).includes(keyNotAllowed)
  );
}

function errorCodes(answer: SaleAnswer): readonly string[] {
  const errors = answer.errors?.deepErrors() ?? [];
  return errors.slice(0, 10).map(({ code }) => textOf(code)?.slice(0, 10) ?? 'no code');
}

/** What Braintree's record says of a charge. */
export function lookUpResult(
  sent: Watched<readonly unknown[]>,
  request: LookUpRequest,
): LookUpResult {
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: reasonOf(sent) };
  return resultOfAll(
    sent.value.map((item) => fieldsOf(item) ?? {}),
    request,
  );
}

/** The tries that Braintree made by itself of a sale that was declined, by their ids. */
export function retriesOf(sent: Watched<SaleAnswer>): readonly string[] {
  if (sent.kind !== 'answered') return [];
  return retryIdsOf(fieldsOf(sent.value.transaction) ?? {});
}

/** What a declined sale came to by those tries; where they cannot be read nobody can say. */
export function retriedResult(
  declined: Watched<SaleAnswer>,
  retries: Watched<readonly unknown[]>,
  request: ChargeRequest,
): ChargeResult {
  if (retries.kind !== 'answered') return { kind: 'unknown', reason: reasonOf(retries) };
  const first = declined.kind === 'answered' ? declined.value.transaction : undefined;
  const result = resultOfAll(
    [first, ...retries.value].map((item) => fieldsOf(item) ?? {}),
    request,
  );
  return result.kind === 'not_found'
    ? { kind: 'unknown', reason: 'an answer without a transaction' }
    : result;
}

/** Whether the keys open an account, and whether its merchant accounts fit the currencies named. */
export function credentialsResult(
  sent: Watched<readonly Fields[]>,
  account: BraintreeAccount,
): CredentialsCheck {
  if (sent.kind === 'refused' && sent.status === 401) {
    const where = account.environment;
    return {
      kind: 'refused',
      reason: `Braintree does not know these keys: take merchant_id, public_key and private_key from one API key of the ${where} control panel.`,
    };
  }
  if (sent.kind === 'refused' && sent.status === 403) {
    return {
      kind: 'refused',
      reason: 'The API key may not read merchant accounts: give its user that permission.',
    };
  }
  if (sent.kind !== 'answered') return { kind: 'unreachable', reason: reasonOf(sent) };
  for (const [currency, id] of account.merchantAccounts) {
    const found = sent.value.find((item) => item.id === id);
    if (found?.currencyIsoCode !== currency) {
      const what = found === undefined ? 'is not there' : 'has another currency';
      return {
        kind: 'refused',
        reason: `merchant_account_ids names ${id} for ${currency}, and that merchant account ${what}.`,
      };
    }
  }
  return { kind: 'accepted', account: account.merchantId };
}

export function reasonOf(sent: Exclude<Watched<unknown>, { kind: 'answered' }>): string {
  return sent.kind === 'refused' ? statusReason(sent.status) : sent.reason;
}

function statusReason(status: number): string {
  switch (status) {
    case 401:
      return 'HTTP 401: Braintree does not know these keys.';
    case 403:
      return 'HTTP 403: the API key may not do this.';
    case 426:
      return 'HTTP 426: Braintree no longer takes this version of its SDK.';
    case 429:
      return 'HTTP 429: too many requests.';
    default:
      return `HTTP ${status} with an answer that cannot be used`;
  }
}
