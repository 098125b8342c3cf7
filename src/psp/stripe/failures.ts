import { present } from '../../domain/present.ts';
import { textOf } from '../answer-fields.ts';
import { type NotMade, notMade, requestRefused, type Unknown, unknown } from '../charge-results.ts';
import type { Answer, StripeError } from './client.ts';

export type Failure = Exclude<Answer<never>, { kind: 'answered' }>;

/** The intent is no longer as the request takes it to be: another call changed it. */
const changedMeanwhile = 'payment_intent_unexpected_state';

/**
 * What a failed request to charge means. Stripe says with 400, 401, 403, 404 and 429 that it did
 * not begin (docs.stripe.com/error-low-level); an idempotency error, a conflict (409) or a 500,
 * fresh or replayed, leaves open what became of the first request with this key.
 */
export function chargeFailure(failure: Failure): NotMade | Unknown {
  const reason = failureReason(failure);
  switch (failure.kind) {
    case 'not_sent':
      return notMade(reason);
    case 'lost':
      return unknown(reason);
    case 'refused':
      return isRefusal(failure.status, failure.error) ? refused(failure, reason) : unknown(reason);
  }
}

/** A call that had to come before the charge failed, so the charge was never sent. */
export function beforeCharge(what: string, failure: Failure): NotMade {
  const reason = `${what}: ${failureReason(failure)}`;
  return failure.kind === 'refused' ? refused(failure, reason) : notMade(reason);
}

function refused(
  { status, error }: Extract<Failure, { kind: 'refused' }>,
  reason: string,
): NotMade {
  const { retryAfterMs } = error;
  const made = isFault(status) ? requestRefused(reason) : notMade(reason);
  return { ...made, ...present({ retryAfterMs }) };
}

/** Our own words with the status and Stripe's codes; its message may hold what nobody may keep. */
export function failureReason(failure: Failure): string {
  if (failure.kind !== 'refused') return failure.reason;
  const { status, error } = failure;
  const permission = missingPermission(error);
  const words = [error.type, error.code, textOf(error.fields.param)].filter(isPlainWord);
  const said = [`Stripe answered HTTP ${status}`, ...words].join(' ');
  return permission === undefined ? said : `${said}, the key lacks ${permission}`;
}

/** The permission that Stripe names where a restricted key lacks one, such as rak_charge_read. */
export function missingPermission(error: StripeError): string | undefined {
  return /\brak_[a-z_]{1,60}/.exec(textOf(error.fields.message) ?? '')?.[0];
}

function isRefusal(status: number, error: StripeError): boolean {
  if (error.type === 'idempotency_error' || error.code === changedMeanwhile) return false;
  return isFault(status) || [401, 403, 429].includes(status);
}

/** A fault of the request, such as a method that the account does not have, or has no more. */
function isFault(status: number): boolean {
  return status === 400 || status === 404;
}

function isPlainWord(word: string | undefined): word is string {
  return word !== undefined && /^[a-z0-9_[\]]{1,64}$/i.test(word);
}
