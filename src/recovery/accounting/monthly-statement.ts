import { decimalText } from '../../domain/money.ts';

export interface Summed {
  readonly count: number;
  readonly amount_minor: number;
}

/** What a daily statement says of an account; a correction also says of which day. */
export interface StatedAccount {
  readonly day?: string;
  readonly psp: string;
  readonly connection_version: number;
  readonly currency: string;
  readonly attempts: Summed;
  readonly successes: Summed;
  readonly recovered: Summed;
  readonly announced: Summed;
  readonly refunds: Summed;
  readonly incidents: Summed;
}

export interface StatedEvents {
  readonly day?: string;
  readonly created: number;
  readonly delivered: number;
  readonly pending: number;
  readonly given_up: number;
}

/** A daily statement with its hash, as it is kept. */
export interface DailyStatement {
  readonly day: string;
  readonly hash: string;
  readonly accounts: readonly StatedAccount[];
  readonly events: StatedEvents;
  readonly corrections: {
    readonly accounts: readonly StatedAccount[];
    readonly events: readonly StatedEvents[];
  };
}

export interface MonthlyAccount extends Omit<StatedAccount, 'day'> {
  readonly declined: Summed;
}

export interface MonthlyStatement {
  readonly month: string;
  /** The days of the month that are stated. */
  readonly days: number;
  /** The last statement that was read: its corrections are in the figures. */
  readonly as_of: { readonly day: string; readonly hash: string };
  readonly accounts: readonly MonthlyAccount[];
  readonly events: Omit<StatedEvents, 'day'>;
  /** Of each account: successes = recovered = announced; of events: created = the other three. */
  readonly agrees: boolean;
}

/** The figures of an account, in the order in which they are shown. */
export const shownFigures = [
  'attempts',
  'declined',
  'successes',
  'recovered',
  'announced',
  'refunds',
  'incidents',
] as const;
type ShownFigure = (typeof shownFigures)[number];
export const eventFigures = ['created', 'delivered', 'pending', 'given_up'] as const;

const accountFigures = shownFigures.filter((figure) => figure !== 'declined');

/** The accounts of one currency, and what they come to together. */
export interface CurrencyPart extends Readonly<Record<ShownFigure, Summed>> {
  /** Empty for incidents that have no amount. */
  readonly currency: string;
  readonly accounts: readonly MonthlyAccount[];
}

/**
 * What a month came to: the sum of its days' statements, and of what later ones corrected of its days. So it
 * is the same figures that the daily statements chain by hashes, and nothing is counted anew. Undefined
 * where no day of it is stated. `statements`: from the month's first day on, in their order.
 */
export function monthlyStatement(
  month: string,
  statements: readonly DailyStatement[],
): MonthlyStatement | undefined {
  const own = statements.filter(({ day }) => isOfMonth(day, month));
  const last = statements.at(-1);
  if (own.length === 0 || last === undefined) return undefined;
  const corrections = statements.map(({ corrections }) => corrections);
  const accounts = sumAccounts([
    ...own.flatMap((statement) => statement.accounts),
    ...corrections.flatMap((each) => each.accounts).filter(({ day }) => isOfMonth(day, month)),
  ]);
  const events = sumEvents([
    ...own.map((statement) => statement.events),
    ...corrections.flatMap((each) => each.events).filter(({ day }) => isOfMonth(day, month)),
  ]);
  return {
    month,
    days: own.length,
    as_of: { day: last.day, hash: last.hash },
    accounts,
    events,
    agrees: accounts.every(accountAgrees) && eventsAgree(events),
  };
}

/**
 * The accounts by currency, with the sums of each: amounts of two currencies are never added. What has no
 * currency comes last.
 */
export function currencyParts(accounts: readonly MonthlyAccount[]): readonly CurrencyPart[] {
  const parts = [...Map.groupBy(accounts, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    accounts: group,
    ...sumFigures(group, shownFigures),
  }));
  return [
    ...parts.filter(({ currency }) => currency !== ''),
    ...parts.filter(({ currency }) => currency === ''),
  ];
}

function isOfMonth(day: string | undefined, month: string): boolean {
  return day?.startsWith(`${month}-`) === true;
}

function sumAccounts(parts: readonly StatedAccount[]): readonly MonthlyAccount[] {
  const keyOf = (part: StatedAccount) =>
    `${part.currency} ${part.psp} ${part.connection_version.toString().padStart(9, '0')}`;
  const groups = [...Map.groupBy(parts, keyOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  return groups.flatMap(([, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const sums = sumFigures(group, accountFigures);
    const { psp, connection_version, currency } = first;
    const declined = minus(sums.attempts, sums.successes);
    return [{ psp, connection_version, currency, ...sums, declined }];
  });
}

function sumFigures<Figure extends string>(
  parts: readonly Readonly<Record<Figure, Summed>>[],
  figures: readonly Figure[],
): Record<Figure, Summed> {
  return Object.fromEntries(
    figures.map((figure) => [figure, total(parts.map((part) => part[figure]))]),
  ) as Record<Figure, Summed>;
}

function sumEvents(parts: readonly StatedEvents[]): Omit<StatedEvents, 'day'> {
  const sum = (figure: (typeof eventFigures)[number]) =>
    parts.reduce((before, part) => before + part[figure], 0);
  return {
    created: sum('created'),
    delivered: sum('delivered'),
    pending: sum('pending'),
    given_up: sum('given_up'),
  };
}

function total(sums: readonly Summed[]): Summed {
  return sums.reduce(
    (before, { count, amount_minor }) => ({
      count: before.count + count,
      amount_minor: before.amount_minor + amount_minor,
    }),
    { count: 0, amount_minor: 0 },
  );
}

function minus(one: Summed, other: Summed): Summed {
  return {
    count: one.count - other.count,
    amount_minor: one.amount_minor - other.amount_minor,
  };
}

/** Whether what succeeded, what was recovered and what was announced are the same. */
export function accountAgrees({ successes, recovered, announced }: MonthlyAccount): boolean {
  return [recovered, announced].every(
    (sum) => sum.count === successes.count && sum.amount_minor === successes.amount_minor,
  );
}

/** Whether every event that was created is accounted for. */
export function eventsAgree(events: MonthlyStatement['events']): boolean {
  return events.created === events.delivered + events.pending + events.given_up;
}

/** The same as rows of cells under a head: a figure in each, amounts as exact decimals. */
export function monthlyRows(statement: MonthlyStatement): readonly (readonly string[])[] {
  const { month, accounts, events } = statement;
  return [
    ['month', 'psp', 'account', 'currency', 'figure', 'count', 'amount'],
    ...accounts.flatMap((account) =>
      shownFigures.map((figure) => [
        month,
        account.psp,
        account.connection_version.toString(),
        account.currency,
        figure,
        account[figure].count.toString(),
        amountText(account[figure].amount_minor, account.currency),
      ]),
    ),
    ...eventFigures.map((figure) => [
      month,
      '',
      '',
      '',
      `events_${figure}`,
      events[figure].toString(),
      '',
    ]),
  ];
}

/**
 * The exact decimals of a figure; empty for incidents without an amount, which have no currency. A
 * correction may leave less than nothing.
 */
export function amountText(amountMinor: number, currency: string): string {
  if (currency === '') return '';
  const text = decimalText({ amountMinor: Math.abs(amountMinor), currency });
  return amountMinor < 0 ? `-${text}` : text;
}
