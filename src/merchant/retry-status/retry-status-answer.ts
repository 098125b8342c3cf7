import { CardCode } from '../../domain/card-code.ts';
import { maskCardNumbers } from '../../domain/cards/card-numbers.ts';
import { isObject } from '../../domain/json/is-object.ts';
import { readStrictJson, type StrictJson } from '../../domain/json/strict-json.ts';
import { limits } from '../../domain/limits.ts';
import type { MerchantSecrets } from '../../domain/merchant.ts';
import type { Json, JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { AnswerMethod, RetryStatusAnswer } from '../../recovery/merchant-ports.ts';
import type { ChargeToken } from '../../recovery/psp-ports.ts';
import { withoutCredentials } from '../merchant-credentials.ts';
import type { Answer } from '../outbound/guarded-client.ts';
import { statusFailure } from '../status-failure.ts';
import { retryAfterMs } from './retry-after.ts';
import {
  type ConsentBody,
  consentShape,
  decisionShape,
  type MethodBody,
  readConsent,
  readDecision,
} from './retry-status-schema.ts';
import { isUnknownRoute } from './unknown-route.ts';

/** Statuses of a retry-status answer whose body counts. */
export const statusesWithBody: readonly number[] = [200, 404];

/** What the answer of a merchant's retry-status address means. Pure; never throws. */
export function readRetryStatusAnswer(
  answer: Answer,
  secrets: MerchantSecrets,
  now: Date,
): RetryStatusAnswer {
  switch (answer.status) {
    case 200:
      return readOk(answer, secrets);
    case 404:
      return readNotFound(answer, secrets);
    case 429: {
      const waitMs = retryAfterMs(onceOf(answer, 'retry-after'), now);
      return { kind: 'rate_limited', ...present({ retryAfterMs: waitMs }) };
    }
    default:
      return { kind: 'no_answer', ...statusFailure(answer.status) };
  }
}

function readOk(answer: Answer, secrets: MerchantSecrets): RetryStatusAnswer {
  if (!isJson(onceOf(answer, 'content-type'))) {
    const detail = 'The answer is not marked as application/json.';
    return { kind: 'no_answer', cause: 'wrong_type', detail };
  }
  if (answer.body.length === 0) return malformed('it is empty');
  const json = readStrictJson(answer.body, consentShape);
  if (json.kind === 'faults') return noDespiteFaults(answer, secrets) ?? malformed(faultText(json));
  const decision = readDecision(json.value);
  if (decision.kind === 'fault') return malformed(decision.fault);
  const reason = clean(decision.body.reason, secrets);
  if (!decision.body.retry) return { kind: 'do_not_retry', reason };
  const consent = readConsent(json.value);
  if (consent.kind === 'fault') return malformed(consent.fault);
  return retry(consent.body, reason);
}

/** A no needs nothing but itself to be readable: what stands beside it is passed over, whatever is in it. */
function noDespiteFaults(answer: Answer, secrets: MerchantSecrets): RetryStatusAnswer | undefined {
  const json = readStrictJson(answer.body, decisionShape);
  if (json.kind === 'faults') return undefined;
  const decision = readDecision(json.value);
  if (decision.kind === 'fault' || decision.body.retry) return undefined;
  return { kind: 'do_not_retry', reason: clean(decision.body.reason, secrets) };
}

/**
 * 404 stops a recovery, so it must be the merchant's own words: an object with `detail`. Any other
 * 404 is likelier a mistyped address or a proxy's page, and only postpones; so is the `detail` that
 * a framework gives by itself for an address it does not know.
 */
function readNotFound(answer: Answer, secrets: MerchantSecrets): RetryStatusAnswer {
  const json = readStrictJson(answer.body);
  const detail = json.kind === 'value' ? detailOf(json.value) : undefined;
  if (detail !== undefined && !isUnknownRoute(detail)) {
    return { kind: 'not_found', detail: clean(detail, secrets) };
  }
  return {
    kind: 'no_answer',
    cause: 'unexpected_status',
    detail: 'The server answered 404 without a detail of its own: the address may be mistyped.',
  };
}

function detailOf(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  const { detail } = value;
  return typeof detail === 'string' ? detail : undefined;
}

function retry(body: ConsentBody, reason: string): RetryStatusAnswer {
  return {
    kind: 'retry',
    reason,
    ...present({ amount: body.amount, metadata: body.metadata }),
    ...(body.payment_methods !== undefined && {
      paymentMethods: body.payment_methods.map(methodOf),
    }),
  };
}

function methodOf(body: MethodBody): AnswerMethod {
  const { id, network_transaction_id, bin, token, billing_address } = body;
  return {
    ...present({ id, networkTransactionId: network_transaction_id, bin }),
    ...(token !== undefined && { token: tokenOf(token) }),
    ...(billing_address !== undefined && { billingAddress: addressOf(billing_address) }),
  };
}

function tokenOf(token: NonNullable<MethodBody['token']>): ChargeToken {
  const { id, expiration_month, expiration_year, card_validation_number } = token;
  return {
    ...present({ id, expirationMonth: expiration_month, expirationYear: expiration_year }),
    ...(card_validation_number !== undefined && { cardCode: new CardCode(card_validation_number) }),
  };
}

const addressFields = ['name', 'city', 'state', 'zip', 'phone'] as const;

function addressOf(address: NonNullable<MethodBody['billing_address']>): JsonObject {
  return Object.fromEntries(
    addressFields.flatMap((field) => {
      const value = address[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** A header that stands once: one that stands twice says nothing. */
function onceOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** A media type of application/json, with or without parameters (RFC 9110 section 8.3.1). */
function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

/** What keeps an answer from being read, in words that quote nothing of it. */
function faultText(json: Extract<StrictJson, { kind: 'faults' }>): string {
  return json.faults[0]?.text ?? 'it cannot be read';
}

function malformed(fault: string): RetryStatusAnswer {
  return { kind: 'no_answer', cause: 'malformed', detail: `The answer is not valid: ${fault}.` };
}

/** A merchant's words as they may be kept: no credentials, no card numbers, no control characters, not endless. */
function clean(text: string, secrets: MerchantSecrets): string {
  return maskCardNumbers(withoutCredentials(text, secrets))
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, limits.messageLength)
    .toWellFormed();
}
