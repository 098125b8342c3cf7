import { dayMs, hourMs } from '../clock.ts';
import type { CardAttempt } from './card-attempt.ts';
import type { RuleSource } from './rule-sources.ts';

/** What an advice does to the next charge of the card. */
export type AdviceEffect =
  | { readonly kind: 'never' }
  /** The card can take no second charge. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** It describes the card or asks for new data: the ceiling leaves it to the policy. */
  | { readonly kind: 'none' };

export interface AdviceRule {
  readonly meaning: string;
  readonly effect: AdviceEffect;
  readonly source: RuleSource;
}

/** Mastercard's merchant advice codes, with what each means for the next charge of the card. */
export const mastercardAdvice: Readonly<Record<string, AdviceRule>> = {
  '00': rule('No advice'),
  '01': rule('New account information available'),
  '02': { ...rule('Cannot approve now', wait(72 * hourMs)), source: 'mastercardWait' },
  '03': rule('Do not try again', { kind: 'never' }),
  '04': rule('Token requirements not fulfilled'),
  '05': rule('Negotiated value not approved'),
  '21': rule('Payment cancelled by the cardholder', { kind: 'never' }),
  '22': rule('Merchant does not qualify for product code', { kind: 'never' }),
  '24': rule('Retry after 1 hour', wait(hourMs)),
  '25': rule('Retry after 24 hours', wait(24 * hourMs)),
  '26': rule('Retry after 2 days', wait(2 * dayMs)),
  '27': rule('Retry after 4 days', wait(4 * dayMs)),
  '28': rule('Retry after 6 days', wait(6 * dayMs)),
  '29': rule('Retry after 8 days', wait(8 * dayMs)),
  '30': rule('Retry after 10 days', wait(10 * dayMs)),
  '40': { ...rule('Non-reloadable prepaid card', { kind: 'spent' }), source: 'mastercardSpent' },
  '41': { ...rule('Single-use virtual card number', { kind: 'spent' }), source: 'mastercardSpent' },
  '42': rule('Sanctions score exceeds threshold'),
  '43': rule('Multi-use virtual card number'),
  '99': rule('Unknown'),
};

/** The effect of an advice code as a PSP passes it on; none of a code that is not in the table. */
export function adviceEffect(adviceCode: string | undefined): AdviceEffect {
  const code = adviceCode?.trim().padStart(2, '0');
  if (code === undefined || !Object.hasOwn(mastercardAdvice, code)) return { kind: 'none' };
  return mastercardAdvice[code]?.effect ?? { kind: 'none' };
}

const finalOnEveryNetwork = ['03', '21'];

/** Whether it was declined with an advice that forbids the card, on whatever network it came. */
export function neverAgainAdvice({ adviceCode }: CardAttempt): boolean {
  return finalOnEveryNetwork.includes(adviceCode?.trim().padStart(2, '0') ?? '');
}

function rule(meaning: string, effect: AdviceEffect = { kind: 'none' }): AdviceRule {
  return { meaning, effect, source: 'mastercardAdvice' };
}

function wait(waitMs: number): AdviceEffect {
  return { kind: 'wait', waitMs };
}
