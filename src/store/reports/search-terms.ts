import { maxAmountMinor } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';

/** What a text that somebody looks for may be, beside a whole id. */
export interface SearchTerms {
  readonly email?: string;
  /** The beginning of an id. */
  readonly prefix?: string;
  readonly amount?: SearchedAmount;
  readonly cardLast4?: string;
}

export interface SearchedAmount {
  /** Minor units where the currency has none, two or three decimals; absent where it has fewer than were given. */
  readonly minorByExponent: Readonly<Partial<Record<0 | 2 | 3, number>>>;
  readonly currency?: string;
}

/** Shorter ones begin too many ids. */
const minPrefix = 3;

export function searchTerms(text: string): SearchTerms {
  if (/^\S+@\S+$/.test(text)) return { email: text };
  return present({
    prefix: text.length >= minPrefix ? text : undefined,
    amount: searchedAmount(text),
    cardLast4: /^\d{4}$/.test(text) ? text : undefined,
  });
}

/** `1.200,50`, `1 200,50` and `1’200.50`, as languages write amounts, with a comma between thousands and a point before decimals. */
function pointed(text: string): string {
  const joined = text.replaceAll(/(?<=\d)[\u00a0\u202f ’](?=\d{3}(?!\d))/gu, '');
  return /^\D*(?:\d{1,3}(?:\.\d{3})+|\d+),\d{2}(?!\d)/.test(joined)
    ? joined.replaceAll('.', '').replace(',', '.')
    : joined;
}

/** `42`, `42.00`, `1,200.50`, `42,00`, `42 EUR` and `€42`, the sign not being read: several currencies share one. */
function searchedAmount(text: string): SearchedAmount | undefined {
  const match =
    /^(?:[A-Z]{0,2}\p{Sc})?\s*(?<whole>\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(?<fraction>\d{1,3}))?\s*(?:\p{Sc}|(?<currency>[A-Z]{3}))?$/u.exec(
      pointed(text),
    );
  if (match?.groups === undefined) return undefined;
  const { whole = '', fraction = '', currency } = match.groups;
  const digits = whole.replaceAll(',', '');
  const minors = ([0, 2, 3] as const).flatMap((exponent) => {
    if (fraction.length > exponent) return [];
    const minor = Number(digits + fraction.padEnd(exponent, '0'));
    return minor > maxAmountMinor ? [] : [[exponent, minor] as const];
  });
  if (minors.length === 0) return undefined;
  return { minorByExponent: Object.fromEntries(minors), ...present({ currency }) };
}
