import { hourMs } from './clock.ts';

/** The last clocks on earth to leave a month are twelve hours behind UTC. */
const latestZoneMs = 12 * hourMs;

/**
 * Whether a card has expired at a time: its month is over everywhere on earth. Months are `2` or
 * `02`, years `2027` or `27`. Texts that give no month say nothing, so the card is not expired: its
 * issuer decides.
 */
export function isCardExpired(
  card: { readonly month: string | undefined; readonly year: string | undefined },
  at: Date,
): boolean {
  const { month = '', year = '' } = card;
  if (!/^(0?[1-9]|1[0-2])$/.test(month) || !/^(\d{2}|\d{4})$/.test(year)) return false;
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  // The number of a month is the index of the one after it, which Date.UTC carries over a year.
  const endsAtMs = Date.UTC(fullYear, Number(month), 1) + latestZoneMs;
  return at.getTime() >= endsAtMs;
}
