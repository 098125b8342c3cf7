import { type Figure, inForce } from './dated.ts';
import { maxMastercardMonthly } from './mastercard.ts';
import { maxAmexDiscover } from './other-networks.ts';
import type { RuledNetwork } from './ruled-network.ts';
import { maxVisaReattempts } from './visa.ts';

/** How many refused charges of a card a network allows in any 30 days. */
export interface MonthlyLimit {
  readonly network: RuledNetwork;
  readonly most: number;
  /** Visa counts what follows a refused charge, so the first one is free. */
  readonly isFirstFree: boolean;
}

/** The rolling window of these limits. */
export const monthlyLimitDays = 30;

const figures: readonly (readonly [RuledNetwork, readonly Figure<number>[]])[] = [
  ['visa', maxVisaReattempts],
  ['mastercard', maxMastercardMonthly],
  ['amex', maxAmexDiscover],
  ['discover', maxAmexDiscover],
];

/**
 * The limits over a rolling 30 days that are in force. Elo counts by the calendar month, and direct
 * debits by the invoice: neither is here. For a view alone: `judgeCharge` decides.
 */
export function monthlyLimits(at: Date): readonly MonthlyLimit[] {
  return figures.flatMap(([network, items]) => {
    const most = inForce(items, at)?.value;
    return most === undefined ? [] : [{ network, most, isFirstFree: network === 'visa' }];
  });
}
