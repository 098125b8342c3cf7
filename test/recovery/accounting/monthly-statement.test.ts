import { expect, it } from 'vitest';
import {
  currencyParts,
  type DailyStatement,
  monthlyRows,
  monthlyStatement,
  type StatedAccount,
} from '../../../src/recovery/accounting/monthly-statement.ts';

const none = { count: 0, amount_minor: 0 };

function account(part: Partial<StatedAccount>): StatedAccount {
  const figures = { attempts: none, successes: none, recovered: none, announced: none };
  const rest = { refunds: none, incidents: none };
  return { psp: 'stripe', connection_version: 1, currency: 'USD', ...figures, ...rest, ...part };
}

/** An account with so many successes, told everywhere. */
function won(count: number, part: Partial<StatedAccount> = {}): StatedAccount {
  const sum = { count, amount_minor: count * 1_001 };
  return account({ attempts: sum, successes: sum, recovered: sum, announced: sum, ...part });
}

const quiet = { created: 0, delivered: 0, pending: 0, given_up: 0 };

function day(name: string, part: Partial<DailyStatement> = {}): DailyStatement {
  const corrections = { accounts: [], events: [] };
  return { day: name, hash: `hash of ${name}`, accounts: [], events: quiet, corrections, ...part };
}

it('is what its own days stated and later ones corrected, and nothing of another month', () => {
  const statements = [
    day('2026-03-30', { accounts: [won(2)], events: { ...quiet, created: 2, pending: 2 } }),
    day('2026-03-31', { accounts: [won(1), won(3, { currency: 'JPY' })] }),
    day('2026-04-01', {
      accounts: [won(9)],
      events: { ...quiet, created: 9, delivered: 9 },
      corrections: {
        accounts: [won(1, { day: '2026-03-31' }), won(5, { day: '2026-02-28' })],
        events: [{ ...quiet, day: '2026-03-30', delivered: 2, pending: -2 }],
      },
    }),
  ];
  const march = monthlyStatement('2026-03', statements);
  expect(march).toMatchObject({
    days: 2,
    as_of: { day: '2026-04-01', hash: 'hash of 2026-04-01' },
    accounts: [
      { currency: 'JPY', recovered: { count: 3, amount_minor: 3_003 } },
      { currency: 'USD', recovered: { count: 4, amount_minor: 4_004 } },
    ],
    events: { created: 2, delivered: 2, pending: 0, given_up: 0 },
    agrees: true,
  });
  expect(monthlyStatement('2026-04', statements.slice(2))).toMatchObject({
    days: 1,
    accounts: [{ recovered: { count: 9 } }],
  });
  expect(monthlyStatement('2026-05', [])).toBeUndefined();
});

it('says so where its totals do not agree', () => {
  const untold = won(1, { announced: none });
  const of = (part: Partial<DailyStatement>) =>
    monthlyStatement('2026-03', [day('2026-03-01', part)]);
  expect(of({ accounts: [untold] })?.agrees).toBe(false);
  expect(of({ events: { ...quiet, created: 1 } })?.agrees).toBe(false);
});

it('adds accounts of one currency, never of two, and puts what has none last', () => {
  const incident = { count: 1, amount_minor: 0 };
  const statement = monthlyStatement('2026-03', [
    day('2026-03-01', {
      accounts: [
        account({ currency: '', incidents: incident }),
        won(2),
        won(3, { psp: 'adyen' }),
        won(4, { currency: 'JPY' }),
      ],
    }),
  ]);
  const parts = currencyParts(statement?.accounts ?? []);
  const { recovered } = won(5);
  expect(parts).toMatchObject([
    { currency: 'JPY', recovered: { count: 4 }, accounts: [{ psp: 'stripe' }] },
    { currency: 'USD', recovered, accounts: [{ psp: 'adyen' }, { psp: 'stripe' }] },
    { currency: '', recovered: none, incidents: incident },
  ]);
});

it('has amounts as exact decimals of their currency, also less than nothing', () => {
  const refund = { count: -1, amount_minor: -5 };
  const statement = monthlyStatement('2026-03', [
    day('2026-03-01', { accounts: [account({ refunds: refund }), won(1, { currency: 'JPY' })] }),
  ]);
  if (statement === undefined) throw new Error('no statement');
  const rows = monthlyRows(statement).map((row) => row.slice(3).join(' '));
  expect(rows).toContain('USD refunds -1 -0.05');
  expect(rows).toContain('JPY recovered 1 1001');
});
