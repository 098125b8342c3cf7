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
export function isHardDecline(decline: {
  readonly networkCode?: string;
  readonly adviceCode?: string;
}): boolean {
  const code = decline.networkCode?.trim().toUpperCase().padStart(2, '0');
  return (
    (code !== undefined && finalCodes.has(code)) || adviceEffect(decline.adviceCode).kind !== 'none'
  );
}

/** The longest window of any rule, a calendar month, with room for the time zones. */
export const maxWindowDays = 32;
