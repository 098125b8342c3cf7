import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Fonts, loadFonts } from '../../src/documents/fonts.ts';
import { accountLimit, renderStatement } from '../../src/documents/render-statement.ts';
import {
  type DailyStatement,
  monthlyStatement,
  type StatedAccount,
} from '../../src/recovery/accounting/monthly-statement.ts';
import { statementDocument } from '../../src/recovery/accounting/statement-document.ts';
import { pdfPages, pdfText } from '../kits/pdf-text.ts';

let fonts: Fonts;
beforeAll(async () => {
  fonts = await loadFonts();
});

const none = { count: 0, amount_minor: 0 };
const hash = '5f'.repeat(32);

/** An account where each third charge succeeded. */
function account(successes: number, part: Partial<StatedAccount> = {}): StatedAccount {
  const won = { count: successes, amount_minor: successes * 4_201 };
  return {
    psp: 'stripe',
    connection_version: 1,
    currency: 'USD',
    attempts: { count: 3 * won.count, amount_minor: 3 * won.amount_minor },
    successes: won,
    recovered: won,
    announced: won,
    refunds: none,
    incidents: none,
    ...part,
  };
}

const accountsUpTo = (count: number) =>
  Array.from({ length: count }, (_, index) => account(1, { connection_version: index + 1 }));

/** A statement of one day that has these accounts. */
function documentOf(
  accounts: readonly StatedAccount[],
  changes: Partial<DailyStatement> & { readonly name?: string } = {},
) {
  const { name = 'Northwind Press', ...more } = changes;
  const statement = monthlyStatement('2026-03', [
    {
      day: '2026-03-31',
      hash,
      accounts,
      events: { created: 40, delivered: 38, pending: 1, given_up: 1 },
      corrections: { accounts: [], events: [] },
      ...more,
    },
  ]);
  if (statement === undefined) throw new Error('no day is stated');
  return statementDocument({ merchant: { id: 'mer_1', name }, statement });
}

async function textOf(...given: Parameters<typeof documentOf>): Promise<string> {
  return pdfText(await renderStatement({ fonts }, documentOf(...given)));
}

/** As a reader sees it, whatever the lines. */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('a statement as a document', () => {
  test('the same statement gives the same bytes, whatever the day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-06T00:00:00Z') });
    const one = await renderStatement({ fonts }, documentOf([account(2)]));
    vi.setSystemTime(new Date('2027-12-31T23:59:59Z'));
    const other = await renderStatement({ fonts }, documentOf([account(2)]));
    vi.useRealTimers();
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
    const file = Buffer.from(one).toString('latin1');
    expect(file).toContain('(D:20260331000000Z)');
    expect(file).toContain('/Lang (en)');
  });

  test('it has whose and which month, the figures, the events and how to verify them', async () => {
    const text = flat(await textOf([account(2)]));
    for (const shown of [
      'Monthly statement Northwind Press, March 2026 Merchant Northwind Press',
      "Merchant's id mer_1 Month March 2026 (2026-03), in UTC",
      `Hash of that statement ${hash}`,
      'The figures agree.',
      'Stripe, account 1: the total Count Amount Attempts: charges that the PSP answered 6 252.06 USD',
      'Declined: attempts less successes 4 168.04 USD',
      'Successes: charges that succeeded 2 84.02 USD',
      'Refunds 0 0.00 USD',
      'Created 40 Delivered 38 Pending 1 Given up 1',
      'GET /recover/statements/2026-03-31',
      `It has to be: ${hash}`,
      'Page 1 of 2',
    ]) {
      expect(text).toContain(shown);
    }
  });

  test('accounts of one currency have a total, and nothing adds two currencies', async () => {
    const text = flat(
      await textOf([account(2), account(3, { psp: 'adyen' }), account(4, { currency: 'JPY' })]),
    );
    expect(text).toContain('Total of 2 accounts');
    expect(text).toContain('Recovered: payments 5 210.05 USD');
    expect(text).toContain('Recovered: payments 4 16804 JPY');
    expect(text).not.toContain('Total of 3');
  });

  test('a correction that leaves less than nothing, and incidents without an amount', async () => {
    const refunds = { count: -1, amount_minor: -5 };
    const lost = { incidents: { count: 2, amount_minor: 0 }, connection_version: 0, currency: '' };
    const text = flat(await textOf([account(1, { refunds }), account(0, lost)]));
    expect(text).toContain('Refunds -1 -0.05 USD');
    expect(text).toContain('Incidents without an amount Stripe, account not known: the total');
    expect(text).toContain('Refunds 0 Incidents 2 ');
  });

  test('where figures do not agree, it says of what, and what to do', async () => {
    const events = { created: 3, delivered: 1, pending: 0, given_up: 0 };
    const text = flat(await textOf([account(1), account(1, { announced: none })], { events }));
    expect(text).toContain('The figures do not agree.');
    expect(text).toContain('does not hold for: Stripe, account 1, USD; the events. Do not book');
  });

  test('a month that is not over, and one that began late, say which days are in it', async () => {
    expect(flat(await textOf([account(1)], { day: '2026-03-30' }))).toContain(
      'Days stated 1 of 31: the month is not stated to its end',
    );
    expect(flat(await textOf([account(1)]))).toContain(
      "Days stated 1 of 31: nothing happened before the merchant's first statement",
    );
  });

  test('a month in which nothing happened says so', async () => {
    expect(flat(await textOf([]))).toContain('Nothing was charged, refunded or contradicted');
  });
});

describe('many accounts and long names', () => {
  test('an account that goes on over a page has its name and columns there again', async () => {
    const pages = pdfPages(await renderStatement({ fonts }, documentOf(accountsUpTo(30))));
    expect(pages.length).toBeGreaterThan(6);
    for (const [index, page] of pages.slice(1, 6).entries()) {
      expect(flat(page)).toMatch(/^Stripe, account \d+ Count Amount /);
      expect(page).toContain(`Page ${index + 2} of ${pages.length}`);
    }
  });

  test('beyond the limit accounts are left out by number, and the totals have them', async () => {
    const text = flat(await textOf(accountsUpTo(accountLimit + 2)));
    expect(text).toContain(`The last 2 of ${accountLimit + 2} accounts have no table`);
    expect(text).toContain(`Recovered: payments ${accountLimit + 2} `);
    expect(text).toContain(`Stripe, account ${accountLimit} Count`);
    expect(text).not.toContain(`Stripe, account ${accountLimit + 1} Count`);
  });

  test.each([
    ['without blanks', 'x'.repeat(200), 'x'.repeat(200)],
    ['in Greek', 'Παπαδοπούλου '.repeat(15), 'Παπαδοπούλου Παπαδοπούλου'],
    ['in Japanese', '王'.repeat(200), '[U+738B][U+738B]'],
    ['in Arabic', 'مرحبا '.repeat(33), '[U+0645][U+0631][U+062D][U+0628][U+0627]'],
  ])('a long name %s is wrapped, in letters of the font or numbers', async (_, name, printed) => {
    const text = await textOf([account(1)], { name });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(140);
    expect(text.replaceAll('\n', '')).toContain(printed);
  });
});
