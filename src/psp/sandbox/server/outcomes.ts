import { secondMs } from '../../../domain/clock.ts';
import {
  adviceCodes,
  type CardNetwork,
  commonDeclineCodes,
} from '../../../domain/declines/decline-codes.ts';
import type { SandboxCardError } from './charge.ts';

/** What a payment method id asks the sandbox to do. */
export type Outcome =
  | { readonly kind: 'decided'; readonly verdict: Verdict; readonly answerLost: boolean }
  | { readonly kind: 'succeed_after'; readonly tries: number }
  /** Declined so until then, and paid from then on. */
  | { readonly kind: 'decline_until'; readonly verdict: Verdict; readonly until: Date }
  /** The connection breaks before the charge is made. */
  | { readonly kind: 'lost_before' }
  /** The account has no such method: the request is refused, and nobody is asked. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unavailable' };

/** How the issuer of the pretended card answers. */
export interface Verdict {
  readonly network: CardNetwork;
  /** Absent for a success. */
  readonly error: SandboxCardError | undefined;
}

const success: Verdict = { network: 'visa', error: undefined };
const insufficientFunds = '51';
const declineShape = /^decline_([0-9a-z]{2,3})(?:_mac_(\d{2}))?(?:_until_(\d{1,10}))?$/i;
const successAfterShape = /^success_after_(\d{1,3})$/;
// An issuer does not decline with these: they say that the charge was approved.
const approvals: readonly string[] = ['00', '08', '10', '11', '16', '85', '000'];

/** The outcome of a payment method id. An id of no known shape names a card that does not exist. */
export function outcomeOf(paymentMethod: string): Outcome {
  const name = magicName(paymentMethod);
  switch (name) {
    case 'success':
      return decided(success);
    case 'lost_success':
      return decided(success, true);
    case 'lost_decline':
      return decided(declined(insufficientFunds), true);
    case 'lost_before':
      return { kind: 'lost_before' };
    case 'not_found':
      return { kind: 'not_found' };
    case 'unavailable':
      return { kind: 'unavailable' };
    case undefined:
      return decided(noSuchMethod());
    default:
      return shapedOutcome(name) ?? decided(noSuchMethod());
  }
}

/**
 * How the issuer answers. `earlierTries` are the charges of the same invoice of the same merchant
 * that the ledger holds already; `now` is the sandbox's time.
 */
export function verdictOf(
  outcome: Exclude<Outcome, { kind: 'unavailable' | 'not_found' | 'lost_before' }>,
  earlierTries: number,
  now: Date,
): Verdict {
  switch (outcome.kind) {
    case 'decided':
      return outcome.verdict;
    case 'succeed_after':
      return earlierTries + 1 >= outcome.tries ? success : declined(insufficientFunds);
    case 'decline_until':
      return now < outcome.until ? outcome.verdict : { ...outcome.verdict, error: undefined };
  }
}

/** What stands between `pm_sandbox_` and the suffix after a double hyphen, which tells cards apart. */
function magicName(paymentMethod: string): string | undefined {
  const prefix = 'pm_sandbox_';
  if (!paymentMethod.startsWith(prefix)) return undefined;
  const suffixAt = paymentMethod.indexOf('--');
  return paymentMethod.slice(prefix.length, suffixAt === -1 ? undefined : suffixAt);
}

function shapedOutcome(name: string): Outcome | undefined {
  const [, code, adviceCode, untilUnix] = declineShape.exec(name) ?? [];
  if (code !== undefined && !approvals.includes(code)) {
    const verdict = declined(code.toUpperCase(), adviceCode);
    if (untilUnix === undefined) return decided(verdict);
    return { kind: 'decline_until', verdict, until: new Date(Number(untilUnix) * secondMs) };
  }
  const tries = Number(successAfterShape.exec(name)?.[1] ?? 0);
  return tries > 0 ? { kind: 'succeed_after', tries } : undefined;
}

function decided(verdict: Verdict, answerLost = false): Outcome {
  return { kind: 'decided', verdict, answerLost };
}

const words: Readonly<Record<string, string>> = {
  '05': 'do_not_honor',
  '14': 'invalid_account',
  '41': 'lost_card',
  '43': 'stolen_card',
  '51': 'insufficient_funds',
  '54': 'expired_card',
  '59': 'suspected_fraud',
  '91': 'issuer_not_available',
  R0: 'stop_payment_order',
  R1: 'revocation_of_authorization',
  R3: 'revocation_of_all_authorizations',
};

/** An issuer's decline with a response code, and with Mastercard's advice where it gave one. */
export function cardDeclined(
  network: CardNetwork,
  networkCode: string,
  adviceCode?: string,
): Verdict {
  return { network, error: cardError(networkCode, adviceCode) };
}

/** Merchant advice codes are Mastercard's, so a card that has one is a Mastercard. */
function declined(networkCode: string, adviceCode?: string): Verdict {
  return {
    network: adviceCode === undefined ? 'visa' : 'mastercard',
    error: cardError(networkCode, adviceCode),
  };
}

function cardError(networkCode: string, adviceCode?: string): SandboxCardError {
  const meaning = commonDeclineCodes[networkCode]?.meaning ?? 'Declined';
  const advice = adviceCode === undefined ? undefined : adviceCodes[adviceCode]?.meaning;
  return {
    type: 'card_error',
    code: words[networkCode] ?? 'card_declined',
    network_code: networkCode,
    advice_code: adviceCode,
    message: advice === undefined ? `${meaning}.` : `${meaning}. ${advice}.`,
  };
}

function noSuchMethod(): Verdict {
  const message = 'No such payment method in the sandbox; docs/sandbox.md lists those that are.';
  return {
    network: 'visa',
    error: { ...cardError('14'), code: 'no_such_payment_method', message },
  };
}
