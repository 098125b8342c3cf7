import { expect, it } from 'vitest';
import { judgeRatios, monthAt, monthsOf } from '../../src/disputes/dispute-ratios.ts';

const now = new Date('2026-06-11T00:00:00Z');
const none = { settled: 0, settledBefore: 0, fraudReports: 0, disputes: 0 };
const counts = {
  merchantId: 'mer_1',
  visa: { ...none, settled: 10_000, fraudReports: 20, disputes: 30 },
  mastercard: { ...none, settledBefore: 4_000, disputes: 50 },
  unknownDisputes: 1,
  unknownSettled: 2,
};

it('judges the month by each programme', () => {
  const [judged] = judgeRatios([counts], { month: monthAt(now), now });
  expect(judged).toMatchObject({ ...counts, verdicts: { length: 3 } });
  expect(judged?.verdicts).toMatchObject([
    { programme: 'visa_vamp', items: 50, outOf: 10_000, ratioBps: 50 },
    {
      ...{ programme: 'mastercard_ecm', items: 50, outOf: 4_000, ratioBps: 125 },
      ...{ isExcessive: false, daysToBreach: 10 },
    },
    { programme: 'mastercard_hecm' },
  ]);
});

it("takes the acquirer's figures in the place of what was counted", () => {
  const stated = { visaSettled: 500, mastercardSettledBefore: 2_000 };
  const [judged] = judgeRatios([counts], { month: monthAt(now), now, ...stated });
  expect(judged?.verdicts).toMatchObject([
    { outOf: 500, ratioBps: 1_000 },
    { outOf: 2_000, ratioBps: 250 },
    { outOf: 2_000 },
  ]);
});

it('counts from the month before on, also in January', () => {
  expect(monthsOf(monthAt(new Date('2026-01-31T23:59:59Z')))).toEqual({
    monthBefore: new Date('2025-12-01T00:00:00Z'),
    from: new Date('2026-01-01T00:00:00Z'),
    until: new Date('2026-02-01T00:00:00Z'),
  });
});
