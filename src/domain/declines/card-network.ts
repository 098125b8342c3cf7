import { type CardNetwork, cardNetworks } from './decline-codes.ts';

const otherNames: Readonly<Record<string, CardNetwork>> = {
  'american express': 'amex',
  american_express: 'amex',
  americanexpress: 'amex',
  diners: 'discover',
  'master card': 'mastercard',
  mc: 'mastercard',
  maestro: 'mastercard',
};

/** The card network of a scheme as merchants and PSPs write it; undefined for any other. */
export function cardNetworkOf(scheme: string): CardNetwork | undefined {
  const name = scheme.trim().toLowerCase();
  return (
    cardNetworks.find((network) => network === name) ??
    (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined)
  );
}
