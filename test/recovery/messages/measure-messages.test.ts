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

  test('with few payments say nothing', () => {
    const few = [...groups('messages', 30, () => 0.5), ...groups('holdout', 3, () => 0.1)];
    expect(measureMessages(few)[0]?.verdict?.result).toBe('too_few');
    expect(measureMessages(groups('messages', 30, () => 0.5))[0]).not.toHaveProperty('verdict');
  });
});
