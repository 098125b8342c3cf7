import { zoneOfCountry } from './country-zones.ts';

/**
 * Currencies whose code does not begin with the country where most of their payers live. ISO 4217
 * makes a code of the country's (ISO 3166-1) and a letter; those of unions begin with X or are EUR,
 * whose most populous country is taken.
 */
const others: Readonly<Record<string, string>> = {
  EUR: 'DE',
  XAF: 'CM',
  XOF: 'CI',
  XPF: 'PF',
  XCD: 'LC',
  XCG: 'CW',
  ANG: 'CW',
};

/** The country that a currency is taken to be of; undefined where its code names none. */
export function countryOfCurrency(currency: string): string | undefined {
  const country = others[currency] ?? currency.slice(0, 2);
  return zoneOfCountry(country) === undefined ? undefined : country;
}
