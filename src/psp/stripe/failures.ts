import { present } from '../../domain/present.ts';
import type { ChargeResult } from '../../recovery/psp-ports.ts';
import { textOf } from '../answer-fields.ts';
import type { Answer, StripeError } from './client.ts';

export type Failure = Exclude<Answer<never>, { kind: 'answered' }>;
type Indefinite = Extract<ChargeResult, { kind: 'unknown' | 'not_made' }>;

/** The intent is no longer as the request takes it to be: another call changed it. */
const changedMeanwhile = 'payment_intent_unexpected_state';

/**
 * What a failed request to charge means. Stripe says with 400, 401, 403, 404 and 429 that it did
 * not begin (docs.stripe.com/error-low-level); an idempotency error, a conflict (409) or a 500,
 * fresh or replayed, leaves open what became of the first request with this key.
 */
export function chargeFailure(failure: Failure): Indefinite {
  const reason = failureReason(failure);
  switch (failure.kind) {
    case 'not_sent':
      return { kind: 'not_made', reason };
    case 'lost':
      return { kind: 'unknown', reason };
    case 'refused': {
      if (!isRefusal(failure.status, failure.error)) return { kind: 'unknown', reason };
      const { retryAfterMs } = failure.error;
      return { kind: 'not_made', reason, ...present({ retryAfterMs }) };
    }
  }
}

/** A call that had to come before the charge failed, so the charge was never sent. */
export function beforeCharge(what: string, failure: Failure): Indefinite {
  const reason = `${what}: ${failureReason(failure)}`;
  const retryAfterMs = failure.kind === 'refused' ? failure.error.retryAfterMs : undefined;
  return { kind: 'not_made', reason, ...present({ retryAfterMs }) };
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
  return [400, 401, 403, 404, 429].includes(status);
}

function isPlainWord(word: string | undefined): word is string {
  return word !== undefined && /^[a-z0-9_[\]]{1,64}$/i.test(word);
}
