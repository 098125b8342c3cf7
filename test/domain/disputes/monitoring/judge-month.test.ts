import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  judgeMonth,
  monthOf,
  type NetworkCounts,
} from '../../../../src/domain/disputes/monitoring/judge-month.ts';

const none: NetworkCounts = { settled: 0, settledBefore: 0, fraudReports: 0, disputes: 0 };

function month(text: string) {
  const read = monthOf(text);
  if (read === undefined) throw new Error(`${text} is no month`);
  return read;
}

/** What a programme says of a month that is over, unless another time is given. */
function verdict(
  programme: string,
  counts: Partial<NetworkCounts>,
  { of = '2026-06', now = '2027-01-01T00:00:00Z' } = {},
) {
  const both = { ...none, ...counts };
  const all = judgeMonth({ visa: both, mastercard: both }, month(of), new Date(now));
  return all.find((one) => one.programme === programme);
}

describe('VAMP', () => {
  it('counts a fraud report and its dispute twice, over the settled charges of the month', () => {
    const counts = { settled: 10_000, fraudReports: 30, disputes: 50 };
    expect(verdict('visa_vamp', counts)).toMatchObject({ items: 80, outOf: 10_000, ratioBps: 80 });
  });

  it.each([
    ['2026-03', 1_500, 68_181, true],
    ['2026-03', 1_500, 68_182, false],
    ['2026-04', 1_500, 100_000, true],
    ['2026-04', 1_500, 100_001, false],
    ['2026-04', 1_499, 10_000, false],
  ])('in %s with %i of %i is excessive: %s', (of, disputes, settled, isExcessive) => {
    expect(verdict('visa_vamp', { disputes, settled }, { of })).toMatchObject({ isExcessive });
  });

  it('was not there before April 2025', () => {
    expect(verdict('visa_vamp', { settled: 1 }, { of: '2025-03' })).toBeUndefined();
    expect(verdict('visa_vamp', { settled: 1 }, { of: '2025-04' })).toBeDefined();
  });

  it('is reached at the pace so far, if the month lasts as long', () => {
    const now = '2026-06-11T00:00:00Z';
    const ahead = (disputes: number, settled = 10_000) =>
      verdict('visa_vamp', { disputes, settled }, { now })?.daysToBreach;
    expect(ahead(1_000)).toBe(5);
    expect(ahead(1_500)).toBe(0);
    // 20 days are left: the last instant is not one of them.
    expect(ahead(501)).toBeUndefined();
    expect(ahead(520)).toBe(19);
    // Nothing was settled that it could be a share of.
    expect(ahead(1_000, 0)).toBeUndefined();
    // The ratio is below, and stays so.
    expect(ahead(1_000, 100_000)).toBeUndefined();
  });
});

describe("Mastercard's programmes", () => {
  it('divide by the month before, and count no fraud reports', () => {
    const counts = { settled: 1, settledBefore: 7_500, fraudReports: 99, disputes: 185 };
    expect(verdict('mastercard_ecm', counts)).toMatchObject({
      items: 185,
      outOf: 7_500,
      ratioBps: 246.67,
      isExcessive: true,
    });
    expect(verdict('mastercard_hecm', counts)).toMatchObject({ isExcessive: false });
  });

  it.each([
    ['mastercard_ecm', 100, 6_666, true],
    ['mastercard_ecm', 100, 6_667, false],
    ['mastercard_ecm', 99, 100, false],
    ['mastercard_hecm', 300, 10_000, true],
    ['mastercard_hecm', 299, 100, false],
    ['mastercard_hecm', 300, 10_001, false],
  ])('%s with %i of %i is excessive: %s', (programme, disputes, settledBefore, isExcessive) => {
    expect(verdict(programme, { disputes, settledBefore })).toMatchObject({ isExcessive });
  });

  it('are reached when the chargebacks are enough for both limits', () => {
    const now = '2026-06-11T00:00:00Z';
    const counts = { disputes: 100, settledBefore: 10_000 };
    expect(verdict('mastercard_ecm', counts, { now })).toMatchObject({ daysToBreach: 5 });
  });
});

it('says nothing of a ratio where nothing is known to be settled', () => {
  const said = verdict('visa_vamp', { disputes: 5_000 });
  expect(said).toMatchObject({ isExcessive: false });
  expect(said).not.toHaveProperty('ratioBps');
});

it('more disputes never make a month better', () => {
  const count = fc.nat(5_000);
  fc.assert(
    fc.property(count, count, fc.nat(200_000), (disputes, more, settled) => {
      const counts = { settled, settledBefore: settled };
      for (const programme of ['visa_vamp', 'mastercard_ecm', 'mastercard_hecm']) {
        const before = verdict(programme, { ...counts, disputes });
        const after = verdict(programme, { ...counts, disputes: disputes + more });
        if (before?.isExcessive) expect(after?.isExcessive).toBe(true);
      }
    }),
  );
});

it('a month is a year and a month of UTC', () => {
  expect(month('2026-12')).toEqual({
    from: new Date('2026-12-01T00:00:00Z'),
    until: new Date('2027-01-01T00:00:00Z'),
  });
  for (const text of ['2026-13', '2026-00', '2026', '26-01', '2026-1']) {
    expect(monthOf(text)).toBeUndefined();
  }
});
