import { cardNetworkOf } from '../declines/card-network.ts';

/** The networks and schemes that the pack has rules for; `unknown` is every other. */
export const ruledNetworks = [
  'visa',
  'mastercard',
  'amex',
  'discover',
  'elo',
  'sepa_debit',
  'ach',
  'unknown',
] as const;
export type RuledNetwork = (typeof ruledNetworks)[number];

const otherNames: Readonly<Record<string, RuledNetwork>> = {
  elo: 'elo',
  sepa: 'sepa_debit',
  sepa_debit: 'sepa_debit',
  'sepa debit': 'sepa_debit',
  sepa_direct_debit: 'sepa_debit',
  'sepa direct debit': 'sepa_debit',
  sepadirectdebit: 'sepa_debit',
  ach: 'ach',
  ach_debit: 'ach',
  ach_direct_debit: 'ach',
  'ach direct debit': 'ach',
  us_bank_account: 'ach',
};

/** Direct debits of Canada (Payments Canada's rule H1 has return codes of three digits), Australia and Britain. */
const otherDebits = /^(?:acss|pad|(?:au[ _]?)?becs|bacs)(?:[ _]?direct)?(?:[ _]?debit)?$/i;

/** Whether it is a bank debit of a scheme that the pack has no rules for: its return codes are none of cards. */
export function isOtherDebit(scheme: string): boolean {
  return otherDebits.test(scheme.trim());
}

/** The network of a scheme as merchants and PSPs write it; `unknown` where none is told. */
export function ruledNetworkOf(scheme: string | undefined): RuledNetwork {
  if (scheme === undefined) return 'unknown';
  const name = scheme.trim().toLowerCase();
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  return other ?? cardNetworkOf(scheme) ?? 'unknown';
}
