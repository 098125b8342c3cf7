import { cardNetworkOf } from '../../declines/card-network.ts';
import type { CardNetwork } from '../../declines/decline-codes.ts';

/** The networks whose disputes have rules of their own. */
export type DisputeNetwork = CardNetwork | 'diners' | 'jcb' | 'unionpay';

const others: Readonly<Record<string, DisputeNetwork>> = {
  diners: 'diners',
  diners_club: 'diners',
  'diners club': 'diners',
  jcb: 'jcb',
  cup: 'unionpay',
  unionpay: 'unionpay',
  'china union pay': 'unionpay',
};

/** The network of a scheme as PSPs write it; undefined for any other. */
export function disputeNetworkOf(scheme: string): DisputeNetwork | undefined {
  const name = scheme.trim().toLowerCase();
  return Object.hasOwn(others, name) ? others[name] : cardNetworkOf(name);
}
