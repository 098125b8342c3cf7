import { describe, expect, test } from 'vitest';
import { type ArmSums, measureMessages } from '../../../src/recovery/messages/measure-messages.ts';

/** `rate` of each group's ten payments of 10.00 is recovered. */
function groups(arm: ArmSums['arm'], count: number, rate: (group: number) => number): ArmSums[] {
  return Array.from({ length: count }, (_, group) => ({
    currency: 'USD',
    arm,
    group,
    payments: 10,
    failedMinor: 10_000,
    recovered: rate(group) * 10,
    recoveredMinor: rate(group) * 10_000,
    open: 0,
  }));
}

describe('messages beside their holdout', () => {
  test('that recover more are said to, with the interval of the difference', () => {
    const [report] = measureMessages([
      ...groups('messages', 100, (group) => (group % 2 === 0 ? 0.5 : 0.3)),
      ...groups('holdout', 100, (group) => (group % 2 === 0 ? 0.2 : 0.1)),
    ]);
    expect(report).toMatchObject({
      currency: 'USD',
      messages: { payments: 1_000, recovered: 400 },
      holdout: { payments: 1_000, recovered: 150 },
      verdict: { result: 'more', learned: 1_000, holdout: 1_000 },
    });
    const rate = report?.verdict?.rate;
    expect(rate?.value).toBeCloseTo(0.25, 6);
    expect(rate && 'low' in rate && rate.low > 0.2 && rate.high < 0.3).toBe(true);
  });

  test('that change nothing show no difference', () => {
    const same = (group: number) => (group % 3) / 10;
    const [report] = measureMessages([
      ...groups('messages', 60, same),
      ...groups('holdout', 60, (group) => same(group + 1)),
    ]);
    expect(report?.verdict?.result).toBe('not_significant');
  });

  test('that change nothing show no difference either where the share held out was changed', () => {
    // The old week has come back to the half, the new one hardly yet; first nearly all were held out, now hardly any.
    const week = (name: string, messages: number, holdout: number, rate: number) => [
      ...groups('messages', messages, () => rate).map((each) => ({ ...each, week: name })),
      ...groups('holdout', holdout, () => rate).map((each) => ({ ...each, week: name })),
    ];
    const [report] = measureMessages([
      ...week('2026-03-02', 30, 150, 0.5),
      ...week('2026-03-09', 150, 30, 0.1),
      // Nothing is there to compare the last one with.
      ...groups('messages', 40, () => 0).map((each) => ({ ...each, week: '2026-03-16' })),
    ]);
    expect(report).toMatchObject({
      messages: { payments: 2_200, recovered: 300 },
      holdout: { payments: 1_800, recovered: 780 },
      verdict: { rateResult: 'not_significant', learned: 1_800, holdout: 1_800 },
    });
    expect(report?.verdict?.rate.value).toBeCloseTo(0, 9);
  });

  test('with few payments say nothing', () => {
    const few = [...groups('messages', 30, () => 0.5), ...groups('holdout', 3, () => 0.1)];
    expect(measureMessages(few)[0]?.verdict?.result).toBe('too_few');
    expect(measureMessages(groups('messages', 30, () => 0.5))[0]).not.toHaveProperty('verdict');
  });
});
