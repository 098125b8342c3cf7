import { pspTitle } from '../domain/psps/psp-name.ts';
import {
  accountAgrees,
  amountText,
  eventFigures,
  eventsAgree,
  type MonthlyAccount,
  type MonthlyStatement,
  shownFigures,
} from '../recovery/accounting/monthly-statement.ts';
import type { StatementDocument } from '../recovery/accounting/statement-document.ts';

type Figures = Pick<MonthlyAccount, (typeof shownFigures)[number]>;

const figureNames: Readonly<Record<(typeof shownFigures)[number], string>> = {
  attempts: 'Attempts: charges that the PSP answered',
  declined: 'Declined: attempts less successes',
  successes: 'Successes: charges that succeeded',
  recovered: 'Recovered: payments',
  announced: 'Announced: successes in webhooks',
  refunds: 'Refunds',
  incidents: 'Incidents',
};

const eventNames: Readonly<Record<(typeof eventFigures)[number], string>> = {
  created: 'Created',
  delivered: 'Delivered',
  pending: 'Pending',
  given_up: 'Given up',
};

/** What the cover tells, in pairs. */
export function statedRows({
  merchant,
  statement,
}: StatementDocument): readonly (readonly [string, string])[] {
  const { month, as_of: asOf } = statement;
  return [
    ['Merchant', merchant.name],
    ["Merchant's id", merchant.id],
    ['Month', `${monthName(month)} (${month}), in UTC`],
    ['Days stated', daysText(statement)],
    ['As of', `the daily statement of ${asOf.day}, with its corrections`],
    ['Hash of that statement', asOf.hash],
  ];
}

/** The figures of an account or of all in a currency: name, count, exact amount. */
export function figureRows(figures: Figures, currency: string): readonly (readonly string[])[] {
  return shownFigures.map((figure) => {
    const { count, amount_minor: amountMinor } = figures[figure];
    const amount = `${amountText(amountMinor, currency)} ${currency}`.trim();
    return [figureNames[figure], count.toString(), amount];
  });
}

export function eventRows(events: MonthlyStatement['events']): readonly (readonly string[])[] {
  return eventFigures.map((figure) => [eventNames[figure], events[figure].toString()]);
}

/** An account as a table's head names it. */
export function accountName({ psp, connection_version: version }: MonthlyAccount): string {
  return `${pspTitle(psp)}, ${version === 0 ? 'account not known' : `account ${version}`}`;
}

/** What does not agree, by name. */
export function disagreeing({ accounts, events }: MonthlyStatement): readonly string[] {
  return [
    ...accounts
      .filter((account) => !accountAgrees(account))
      .map((account) => `${accountName(account)}, ${account.currency}`),
    ...(eventsAgree(events) ? [] : ['the events']),
  ];
}

/** `March 2026`. */
export function monthName(month: string): string {
  const form = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', form);
}

function daysText({ month, days, as_of: asOf }: MonthlyStatement): string {
  const last = lastDayOf(month);
  const all = Number(last.slice(-2));
  if (days === all) return `${days} of ${all}`;
  return asOf.day < last
    ? `${days} of ${all}: the month is not stated to its end, and its figures will change`
    : `${days} of ${all}: nothing happened before the merchant's first statement`;
}

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
