import { expect, it } from 'vitest';
import { zoneOfCountry } from '../../../src/domain/places/country-zones.ts';
import { countryOfCurrency } from '../../../src/domain/places/currency-country.ts';
import { zoneOffsetMinutes } from '../../../src/policy/learned/local-time.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const known = letters
  .flatMap((a) => letters.map((b) => a + b))
  .filter((country) => zoneOfCountry(country) !== undefined);

it('knows the zone of every country, by a name that the platform knows', () => {
  expect(known.length).toBe(247);
  const at = new Date('2026-01-15T00:00:00Z');
  for (const country of known) {
    expect(Math.abs(zoneOffsetMinutes(zoneOfCountry(country) ?? '', at))).toBeLessThanOrEqual(840);
  }
  expect(zoneOfCountry('ZZ')).toBeUndefined();
});

it.each([
  ['USD', 'US'],
  ['GBP', 'GB'],
  ['EUR', 'DE'],
  ['XOF', 'CI'],
  ['XAU', undefined],
])('takes payers of %s to live in %s', (currency, country) => {
  expect(countryOfCurrency(currency)).toBe(country);
});
