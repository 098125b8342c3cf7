import type { Decline } from '../declines/decline.ts';
import { adviceEffect } from './mastercard-advice.ts';
import { visaCategories } from './visa-categories.ts';

/** Codes that some network takes for the last word on a card, at some time. */
const finalCodes: ReadonlySet<string> = new Set(
  Object.entries(visaCategories)
    .filter(([, figures]) => figures.some(({ value }) => value === 1))
    .map(([code]) => code),
);

/**
 * Whether a decline may forbid a card for longer than any window, by the rules of some network at
 * some time. Such a decline is kept in view for good; whether it forbids is judged at each charge.
 */
export function isHardDecline(
  decline: Pick<Decline, 'networkCode' | 'adviceCode' | 'sources'>,
): boolean {
  const code = decline.networkCode?.trim().toUpperCase().padStart(2, '0');
  return (
    (code !== undefined && finalCodes.has(code)) ||
    adviceEffect(keptAdvice(decline)).kind !== 'none'
  );
}

/**
 * The advice of a decline that its card's history keeps. A PSP's own "do not try again" (Checkout.com's
 * recommendation 03, Stripe's do_not_try_again) speaks of the card as the network's 03 does, and forbids it
 * for every debt; so does a PSP's own code of a card that is stolen or closed, where it passes on no code
 * of the network's.
 */
export function keptAdvice({
  adviceCode,
  networkCode,
  sources = [],
}: Pick<Decline, 'adviceCode' | 'networkCode' | 'sources'>): string | undefined {
  const deciding = networkCode === undefined ? ['psp_advice', 'psp_code'] : ['psp_advice'];
  const isForbidden = sources.some(
    ({ source, category }) => deciding.includes(source) && category === 'never',
  );
  return isForbidden && adviceEffect(adviceCode).kind !== 'never' ? doNotTryAgain : adviceCode;
}

const doNotTryAgain = '03';

/** The longest window of any rule, a calendar month, with room for the time zones. */
export const maxWindowDays = 32;
