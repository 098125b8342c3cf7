import { type CurrencyPart, currencyParts } from '../recovery/accounting/monthly-statement.ts';
import type { StatementDocument } from '../recovery/accounting/statement-document.ts';
import type { Fonts } from './fonts.ts';
import { missingLettersNote } from './printable.ts';
import { type Column, openSheet, type Sheet } from './sheet.ts';
import {
  accountName,
  disagreeing,
  eventRows,
  figureRows,
  monthName,
  statedRows,
} from './statement-tables.ts';

/**
 * The most accounts that a document shows, on some 80 pages, which take as long as the longest evidence; JSON and
 * CSV have every one.
 */
export const accountLimit = 300;
/** The most accounts that are named for not agreeing. */
const namedLimit = 20;

/**
 * A merchant's month as A4 pages for people: what it is of, whether it agrees, the figures by currency and
 * account, the events, and how to verify it. The same statement gives the same bytes.
 */
export async function renderStatement(
  deps: { readonly fonts: Fonts },
  document: StatementDocument,
): Promise<Uint8Array> {
  const { merchant, statement } = document;
  const { month, as_of: asOf } = statement;
  const sheet = openSheet(deps.fonts, {
    title: `Monthly statement of ${merchant.name}, ${month}`,
    author: 'Recoup',
    subject: `As of ${asOf.day}, ${asOf.hash}`,
    createdAt: new Date(`${asOf.day}T00:00:00Z`),
  });
  sheet.title('Monthly statement', `${merchant.name}, ${monthName(month)}`);
  sheet.table(
    [
      { head: '', share: 0.26, isBold: true },
      { head: '', share: 0.74 },
    ],
    statedRows(document),
  );
  writeAgreement(sheet, document);
  writeAccounts(sheet, document);
  writeEvents(sheet, document);
  writeVerification(sheet, document);
  return sheet.finish(`${merchant.id}, ${month}, as of ${asOf.day} ${asOf.hash.slice(0, 16)}`);
}

function writeAgreement(sheet: Sheet, { statement }: StatementDocument): void {
  sheet.heading('Whether the figures agree');
  if (statement.agrees) {
    sheet.box('The figures agree.');
    sheet.paragraph(
      'In each account, the charges that succeeded, the payments that were recovered and the successes that were ' +
        'announced in webhooks are equal in number and amount. They are counted in three different places. Every event ' +
        'that was created is delivered, pending or given up.',
    );
    return;
  }
  const names = disagreeing(statement);
  const more = names.length > namedLimit ? ` and ${names.length - namedLimit} more` : '';
  sheet.box('The figures do not agree.');
  sheet.paragraph(
    'In each account, successes, recovered and announced should be equal in number and amount, and the events ' +
      'created should be those delivered, pending and given up together. This does not hold for: ' +
      `${names.slice(0, namedLimit).join('; ')}${more}. Do not book this month until the operator of Recoup has ` +
      'explained the difference: "recoup invariants" shows it.',
  );
}

function writeAccounts(sheet: Sheet, { statement }: StatementDocument): void {
  const { accounts } = statement;
  if (accounts.length === 0) {
    sheet.heading('Accounts');
    sheet.paragraph('Nothing was charged, refunded or contradicted in the days that are stated.');
    return;
  }
  const leftOut = accounts.length - accountLimit;
  if (leftOut > 0) {
    sheet.paragraph(
      `The last ${leftOut} of ${accounts.length} accounts have no table of their own here; the totals have them, and ` +
        'the CSV and JSON of this statement show each.',
    );
  }
  let room = accountLimit;
  for (const part of currencyParts(accounts)) {
    writeCurrency(sheet, part, room);
    room = Math.max(0, room - part.accounts.length);
  }
}

/** The totals of a currency, then its accounts; a lone one is the total. */
function writeCurrency(sheet: Sheet, part: CurrencyPart, room: number): void {
  const { currency, accounts } = part;
  sheet.heading(currency === '' ? 'Incidents without an amount' : currency);
  const [first] = accounts;
  if (first !== undefined && accounts.length === 1) {
    sheet.table(figureColumns(`${accountName(first)}: the total`), figureRows(part, currency));
    return;
  }
  const total = `Total of ${accounts.length} accounts`;
  sheet.table(figureColumns(total), figureRows(part, currency));
  for (const account of accounts.slice(0, room)) {
    sheet.table(figureColumns(accountName(account)), figureRows(account, currency));
  }
}

function figureColumns(name: string): readonly Column[] {
  return [
    { head: name, share: 0.54 },
    { head: 'Count', share: 0.16, align: 'right' },
    { head: 'Amount', share: 0.3, align: 'right' },
  ];
}

function writeEvents(sheet: Sheet, { statement }: StatementDocument): void {
  sheet.heading('Events of the webhook');
  sheet.table(
    [
      { head: 'Events', share: 0.54 },
      { head: 'Count', share: 0.16, align: 'right' },
      { head: '', share: 0.3 },
    ],
    eventRows(statement.events),
  );
}

function writeVerification(sheet: Sheet, { statement }: StatementDocument): void {
  const { day, hash } = statement.as_of;
  sheet.heading('How to verify this statement');
  sheet.paragraph(
    'Nothing is counted anew for a month: each figure is the sum of what the daily statements of its days say, and of ' +
      `what later ones, until that of ${day}, corrected of these days. A daily statement is never changed, and ` +
      'carries the hash of the one before it.',
  );
  sheet.paragraph(
    `Get the statement of ${day} from the recovery API (GET /recover/statements/${day}). Take its member "hash" out, ` +
      'write the rest as canonical JSON (RFC 8785), and compute its SHA-256 in hexadecimal. It has to be:',
  );
  sheet.paragraph(hash);
  sheet.paragraph(
    'verifyStatements of the Recoup SDK does this for every day of GET /recover/statements, and checks that each ' +
      'statement names the hash of the day before. Keep the hash above: with it you can see later whether anything ' +
      'before it was changed.',
  );
  sheet.paragraph(
    'All days are UTC. Amounts are exact, and those of different currencies are never added. Fees of the ' +
      `networks and disputes are not part of it. ${missingLettersNote}`,
  );
}
