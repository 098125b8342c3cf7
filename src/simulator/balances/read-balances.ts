import { dayMs, isDay } from '../../domain/clock.ts';

/** An account's balance at the end of each day, in the file's currency. */
export interface AccountBalances {
  readonly accountId: string;
  /** The day of the first balance, counted from 1970-01-01. */
  readonly firstDay: number;
  /** One for each day up to the last one of the whole file. */
  readonly balances: Float64Array;
}

export type ReadBalances =
  | { readonly kind: 'read'; readonly accounts: readonly AccountBalances[] }
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: string };

const header = 'account,date,balance';

/**
 * Reads a file of balances: CSV whose first line is `account,date,balance`, with a line for each day
 * on which an account's balance changed (its value at the end of that day, dates as `2026-11-05`).
 * Between two lines the balance stays. Lines may be in any order.
 */
export function readBalances(text: string): ReadBalances {
  const [first, ...lines] = text.split(/\r?\n/);
  if (first?.trim().toLowerCase() !== header) {
    return { kind: 'malformed', line: 1, reason: `the first line is not ${header}` };
  }
  const changes = new Map<string, [number, number][]>();
  let lastDay = Number.NEGATIVE_INFINITY;
  for (const [place, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const fields = line.split(',').map((field) => field.trim());
    const [accountId = '', date = '', amount = ''] = fields;
    const day = isDay(date) ? Date.parse(`${date}T00:00:00Z`) / dayMs : Number.NaN;
    const balance = amount === '' ? Number.NaN : Number(amount);
    const malformed = (reason: string) => ({ kind: 'malformed', line: place + 2, reason }) as const;
    // A balance such as 1,234.56 would be read as 1.
    if (fields.length > 3) return malformed('there are more than three fields');
    if (accountId === '') return malformed('there is no account');
    if (!Number.isInteger(day)) return malformed('the date is not one like 2026-11-05');
    if (!Number.isFinite(balance)) return malformed('the balance is not a number');
    const known = changes.get(accountId) ?? [];
    known.push([day, balance]);
    changes.set(accountId, known);
    lastDay = Math.max(lastDay, day);
  }
  const accounts = [...changes].map(([accountId, list]) => account(accountId, list, lastDay));
  return { kind: 'read', accounts };
}

function account(accountId: string, changes: [number, number][], lastDay: number): AccountBalances {
  const sorted = changes.toSorted(([a], [b]) => a - b);
  const firstDay = sorted[0]?.[0] ?? lastDay;
  const balances = new Float64Array(lastDay - firstDay + 1);
  sorted.forEach(([day, balance], place) => {
    balances.fill(balance, day - firstDay, (sorted[place + 1]?.[0] ?? lastDay + 1) - firstDay);
  });
  return { accountId, firstDay, balances };
}
