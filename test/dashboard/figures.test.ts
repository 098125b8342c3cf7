import { describe, expect, it } from 'vitest';
import type { CohortJson } from '../../dashboard/src/api/generated/overview.ts';
import { upliftOf, wilson } from '../../dashboard/src/pages/overview/uplift.ts';
import { formatAmount } from '../../dashboard/src/parts/format-amount.ts';
import { relativeTime, span } from '../../dashboard/src/parts/format-time.ts';
import { matchRoute } from '../../dashboard/src/state/match-route.ts';
import { currencyExponent } from '../../src/domain/money.ts';

const sum = (payments: number) => ({ payments, amount: payments * 10 });

function cohort(payments: number, recovered: number): CohortJson {
  return {
    ...sum(payments),
    attempts: payments * 2,
    open: sum(0),
    recovered: sum(recovered),
    stopped: sum(0),
    exhausted: sum(payments - recovered),
  };
}

describe('the uplift', () => {
  // Newcombe 1998, table II, example (a): 56/70 against 48/80, method 10.
  it('has the interval of the published example', () => {
    const uplift = upliftOf(cohort(70, 56), cohort(80, 48));
    expect(uplift?.points).toBeCloseTo(0.2, 10);
    expect(uplift?.low).toBeCloseTo(0.0524, 4);
    expect(uplift?.high).toBeCloseTo(0.3339, 4);
  });

  it('is the money beyond what the rate of the holdout would have brought', () => {
    expect(upliftOf(cohort(900, 450), cohort(100, 40))?.amount).toBeCloseTo(900, 6);
  });

  it('says nothing of a few payments', () => {
    expect(upliftOf(cohort(900, 450), cohort(29, 10))).toBeUndefined();
  });

  it('knows shares of none and all', () => {
    expect(wilson(cohort(50, 0)).low).toBeCloseTo(0, 10);
    expect(wilson(cohort(50, 50)).high).toBeCloseTo(1, 10);
  });
});

describe('amounts', () => {
  it.each(['USD', 'JPY', 'KWD', 'ISK', 'CLP', 'UGX', 'IQD', 'EUR', 'VND', 'XOF'])(
    'of %s have the decimals of the service',
    (currency) => {
      const decimals = /\.(\d+)/.exec(formatAmount(1, currency))?.[1]?.length ?? 0;
      expect(decimals).toBe(currencyExponent(currency));
    },
  );

  it('are in major units', () => {
    expect(formatAmount(42, 'USD')).toBe('$42.00');
    expect(formatAmount(4_200, 'JPY')).toBe('¥4,200');
    expect(formatAmount(1.234, 'KWD')).toMatch(/1\.234/);
  });
});

describe('times', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  it.each([
    [500, 'now'],
    [3_000, 'in 3 s'],
    [-240_000, '4 min ago'],
    [51 * 3_600_000, 'in 2 d 3 h'],
    [-86_400_000, '1 d ago'],
  ])('%s ms away are %s', (ms, words) => {
    expect(relativeTime(new Date(now.getTime() + ms), now)).toBe(words);
  });

  it('of a span are its two largest units', () => {
    expect(span(3_660_000)).toBe('1 h 1 min');
  });
});

describe('addresses', () => {
  const route = '/payments/:merchantId/:invoiceId';
  it.each([
    ['/payments/mer_1/in_1', { merchantId: 'mer_1', invoiceId: 'in_1' }],
    ['/payments/mer_1/in%2F1%25', { merchantId: 'mer_1', invoiceId: 'in/1%' }],
    ['/payments/mer_1/in_1/', { merchantId: 'mer_1', invoiceId: 'in_1' }],
    ['/payments/mer_1', undefined],
    ['/payments/mer_1/', undefined],
    ['/payments/mer_1/%zz', undefined],
    ['/webhooks/mer_1/in_1', undefined],
  ])('%s', (path, params) => {
    expect(matchRoute(route, path)).toEqual(params);
  });
});
