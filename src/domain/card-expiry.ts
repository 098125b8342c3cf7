import { addMs, hourMs } from './clock.ts';

/** The last clocks on earth to leave a month are twelve hours behind UTC. */
const latestZoneMs = 12 * hourMs;

/** A card's last month: months are `2` or `02`, years `2027` or `27`. */
export interface CardExpiry {
  readonly month: string | undefined;
  readonly year: string | undefined;
}

/** The first moment after a card's last month, in UTC; undefined for texts that give no month. */
export function cardEnd({ month = '', year = '' }: CardExpiry): Date | undefined {
  if (!/^(0?[1-9]|1[0-2])$/.test(month) || !/^(\d{2}|\d{4})$/.test(year)) return undefined;
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  // The number of a month is the index of the one after it, which Date.UTC carries over a year.
  return new Date(Date.UTC(fullYear, Number(month), 1));
}

/**
 * Whether a card has expired at a time: its month is over everywhere on earth. Texts that give no month
 * say nothing, so the card is not expired: its issuer decides.
 */
export function isCardExpired(card: CardExpiry, at: Date): boolean {
  const end = cardEnd(card);
  return end !== undefined && at.getTime() >= addMs(end, latestZoneMs).getTime();
}

/** The last month of a card that ends at `end`, such as `2027-03`. */
export function lastMonth(end: Date): string {
  return addMs(end, -1).toISOString().slice(0, 'yyyy-mm'.length);
}
