import { hoursToFunds } from './funds.ts';
import type { Payer } from './payer.ts';

/**
 * The first whole hour at which the cause of a payer's failure is over, so that a charge passes but
 * for bad luck; infinite where it never is, or only with another card.
 */
export function firstPassingHour({ cause, failedHour }: Payer): number {
  switch (cause.kind) {
    case 'funds': {
      const hours = hoursToFunds(cause.funded, failedHour);
      return hours === undefined ? Number.POSITIVE_INFINITY : failedHour + hours;
    }
    case 'block':
    case 'technical':
      return cause.endHour;
    case 'false_decline':
      return failedHour;
    case 'lifecycle':
    case 'terminal':
      return Number.POSITIVE_INFINITY;
  }
}
