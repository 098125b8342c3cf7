import { describe, expect, it } from 'vitest';
import type { UpliftVerdictJson } from '../../dashboard/src/api/generated/overview.ts';
import { axisTimes } from '../../dashboard/src/parts/chart/axis-times.ts';
import { count, formatDecimal, plural } from '../../dashboard/src/parts/count.ts';
import { differenceText, figureText } from '../../dashboard/src/parts/figure-text.ts';
import { formatAmount, formatFee, formatMinor } from '../../dashboard/src/parts/format-amount.ts';
import {
  localTimes,
  monthText,
  relativeTime,
  shortTime,
  span,
} from '../../dashboard/src/parts/format-time.ts';
import { heatOf } from '../../dashboard/src/parts/heat-of.ts';
import { signedText } from '../../dashboard/src/parts/number-text.ts';
import { formatShare } from '../../dashboard/src/parts/percent.ts';
import {
  amountInterval,
  besideMoney,
  rateText,
  verdictAmount,
  verdictText,
} from '../../dashboard/src/parts/verdict-text.ts';
import { matchRoute } from '../../dashboard/src/state/match-route.ts';
import { currencyExponent } from '../../src/domain/money.ts';
import { minClusters } from '../../src/policy/evaluation/cluster-bootstrap.ts';

const verdict = (change: Partial<UpliftVerdictJson>): UpliftVerdictJson => ({
  result: 'not_significant',
  learned_payments: 900,
  holdout_payments: 100,
  amount: { value: 7_141, low: -812.5, high: 15_094.5 },
  rate: { value: 0.021, low: -0.004, high: 0.046 },
  rate_result: 'not_significant',
  ...change,
});

describe('the verdict on the learned policy', () => {
  it.each([
    [{ result: 'more', rate_result: 'more' }, 'The learned policy recovers more than the holdout'],
    [{ result: 'less', rate_result: 'less' }, 'The learned policy recovers less than the holdout'],
    [
      { result: 'more', rate_payments_needed: 3_400 },
      'The learned policy recovers more money than the holdout; the recovery rate does not differ significantly yet (needs about 3,400 more payments)',
    ],
    [
      { result: 'less', rate_result: 'too_few' },
      'The learned policy recovers less money than the holdout; too few payers to say so of the recovery rate',
    ],
    [
      { result: 'more', rate_result: 'less' },
      'The learned policy recovers more money than the holdout, and fewer payments',
    ],
    [
      { rate_result: 'more', payments_needed: 90 },
      'The learned policy recovers more payments than the holdout; the money does not differ significantly yet (needs about 90 more payments)',
    ],
    [
      { result: 'too_few', rate_result: 'too_few' },
      `Too few payers to say (needs at least ${minClusters} in each group)`,
    ],
    [{}, 'Not significant yet'],
    [{ payments_needed: 3_400 }, 'Not significant yet (needs about 3,400 more payments)'],
  ] as const)('%j: %s', (change, text) => {
    expect(verdictText(verdict(change))).toBe(text);
  });

  it.each([
    [{ result: 'more', rate_result: 'more' }, undefined],
    [
      { result: 'more', rate_payments_needed: 3_400 },
      'The recovery rate does not differ significantly yet (needs about 3,400 more payments)',
    ],
    [{ result: 'less', rate_result: 'more' }, 'The recovery rate is higher'],
    [{ payments_needed: 90 }, 'Not significant yet (needs about 90 more payments)'],
  ] as const)('beside the money of %j: %s', (change, text) => {
    expect(besideMoney(verdict(change))).toBe(text);
  });

  it('is said of messages to customers in the same way', () => {
    const words = { subject: 'Messages recover', than: '' };
    expect(verdictText(verdict({ result: 'more', rate_result: 'more' }), words)).toBe(
      'Messages recover more',
    );
    expect(verdictText(verdict({ result: 'more' }), words)).toBe(
      'Messages recover more money; the recovery rate does not differ significantly yet',
    );
    expect(verdictText(verdict({ payments_needed: 90 }), words)).toBe(
      'Not significant yet (needs about 90 more payments)',
    );
  });

  it('has its money and its points with their intervals', () => {
    expect(verdictAmount(verdict({}), 'USD')).toBe('+$7,141.00');
    expect(amountInterval(verdict({}), 'USD')).toBe('95%: −$812.50 to +$15,094.50');
    // A unit stays with its number.
    expect(rateText(verdict({}))).toBe('+2.1\u00a0pp, 95%: −0.4\u00a0pp to +4.6\u00a0pp');
  });

  it('has no interval with few payers', () => {
    const few = verdict({ amount: { value: -1 }, rate: { value: -0.5 } });
    expect(verdictAmount(few, 'USD')).toBe('−$1.00');
    expect(amountInterval(few, 'USD')).toBeUndefined();
    expect(rateText(few)).toBe('−50.0\u00a0pp');
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

describe('what is below nothing', () => {
  it('has a true minus, whatever is written', () => {
    expect([
      formatAmount(-104, 'EUR'),
      formatMinor(-104, 'USD'),
      formatFee(-0.0025, 'USD'),
      formatShare(-0.181, 1),
      formatDecimal(-0.47, 2),
      count(-1_200, 'try', 'tries'),
      differenceText({ value: -0.018, low: -0.05, high: 0.014 }, 'share'),
    ]).toEqual([
      '−€104.00',
      '−$1.04',
      '−$0.0025',
      '−18.1%',
      '−0.47',
      '−1,200 tries',
      '−1.8\u00a0pp [−5.0, 1.4]',
    ]);
  });

  it('is not what rounds to nothing', () => {
    expect([formatDecimal(-0.04, 1), formatAmount(-0.001, 'USD')]).toEqual(['0.0', '$0.00']);
    const points = (value: number): string => formatDecimal(value, 1);
    expect([0.04, -0.04, 0.06, -0.06].map((value) => signedText(value, points))).toEqual([
      '0.0',
      '0.0',
      '+0.1',
      '−0.1',
    ]);
  });
});

describe('fees', () => {
  it.each([
    [0.0025, 'USD', '$0.0025'],
    [0.1175, 'USD', '$0.1175'],
    [0.02, 'USD', '$0.02'],
    [22.6625, 'EUR', '€22.66'],
    [3, 'JPY', '¥3'],
    [0.5, 'JPY', '¥0.5'],
  ])('of %s %s are %s', (value, currency, text) => {
    expect(formatFee(value, currency)).toBe(text);
  });
});

it('the fees of a payment are in its currency, and other metrics in none', () => {
  const figure = { value: 0.0425, low: 0.03, high: 0.06 };
  expect(figureText(figure, 'fee', 'USD')).toBe('$0.0425 [$0.03, $0.06]');
  expect(differenceText(figure, 'fee', 'USD')).toBe('+$0.0425 [$0.03, $0.06]');
  expect(figureText(figure, 'number', 'USD')).toBe('0.04 [0.03, 0.06]');
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

describe('the times under a chart', () => {
  const seconds = (...at: [number, number, number, number?]): number =>
    new Date(at[0], at[1], at[2], at[3] ?? 0).getTime() / 1_000;

  it('that are days have their year under the first of it', () => {
    const days = [seconds(2030, 11, 30), seconds(2030, 11, 31), seconds(2031, 0, 1)];
    expect(axisTimes(days, 86_400)).toEqual(['Dec 30\n2030', 'Dec 31', 'Jan 1\n2031']);
  });

  it('that are hours have their day under the first of it', () => {
    const hours = [seconds(2031, 5, 2, 21), seconds(2031, 5, 3), seconds(2031, 5, 3, 3)];
    const [evening = '', night = '', later = ''] = axisTimes(hours, 3 * 3_600);
    expect([evening, night].map((text) => text.split('\n')[1])).toEqual(['Jun 2', 'Jun 3']);
    expect(later).toMatch(/^3\sAM$/);
  });
});

it('a month has its name', () => {
  expect(monthText('2026-05')).toBe('May 2026');
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

describe('texts', () => {
  it('of the service have their instants in the viewer’s zone, and nothing else changed', () => {
    const at = '2026-12-24T15:00:00.000Z';
    expect(localTimes(`wait until ${at}, not 2026-12-24`)).toBe(
      `wait until ${shortTime(new Date(at))}, not 2026-12-24`,
    );
  });

  it('have the number that takes the word', () => {
    expect([count(1, 'try', 'tries'), count(0, 'try', 'tries')]).toEqual(['1 try', '0 tries']);
    expect([plural(1, 'is', 'are'), plural(2, 'is', 'are')]).toEqual(['is', 'are']);
    expect([formatShare(0.256), formatShare(0.256, 1), formatDecimal(1234.5, 1)]).toEqual([
      '26%',
      '25.6%',
      '1,234.5',
    ]);
  });
});

describe('a cell of the retry map', () => {
  it('has less of the colour the fewer its tries', () => {
    const heats = [1, 5, 20, 400].map((tries) => heatOf({ tries, successes: tries }, 1));
    expect(heats).toEqual([5, 25, 100, 100]);
    expect(heatOf({ tries: 0, successes: 0 }, 1)).toBe(0);
  });
});
