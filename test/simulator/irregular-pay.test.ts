import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCalendar, hourMonthsBefore, instantOf } from '../../src/simulator/calendar.ts';
import { type Draws, drawsOf, purposes } from '../../src/simulator/draws.ts';
import { type FundedHours, fundedHours } from '../../src/simulator/funds.ts';
import { type Parameters, parameters } from '../../src/simulator/parameters.ts';
import { drawPayer } from '../../src/simulator/payer.ts';
import { payerPast } from '../../src/simulator/payer-past.ts';
import { buildWorld } from '../../src/simulator/world.ts';

const calendar = buildCalendar(-450, 500);
const steady: Parameters = { ...parameters, funds: { ...parameters.funds, periodNoiseSd: 0 } };
/** Paid every Monday of the 20 weeks from day 3 on: no business day moves them but holidays. */
const isPayday = (day: number) => (((day - 3) % 7) + 7) % 7 === 0;

function hoursOf(
  change: Partial<Parameters>,
  account: { readonly lastingShare: number; readonly chargeShare: number },
  irregular: Draws = drawsOf(1, 1, purposes.irregularPay),
): FundedHours {
  const world = {
    parameters: { ...steady, ...change },
    calendar,
    regimeHour: Number.POSITIVE_INFINITY,
    draws: drawsOf(1, 1, purposes.funds),
    irregular,
  };
  return fundedHours(world, { isPayday, ...account }, { fromHour: 0, toHour: 140 * 24 });
}

function lengthOf(hours: FundedHours): number {
  return hours.reduce((sum, { startHour, endHour }) => sum + endHour - startHour, 0);
}

function irregularPay(change: Partial<Parameters['irregularPay']>): Partial<Parameters> {
  return { irregularPay: { ...parameters.irregularPay, ...change } };
}

describe('a balance', () => {
  const whole = hoursOf({}, { lastingShare: 0.6, chargeShare: 0 });

  it('covers small charges as long as it lasts, larger ones for a shorter time from each pay on', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        (a, b) => {
          const [small, large] = [Math.min(a, b), Math.max(a, b)].map((chargeShare) =>
            hoursOf({}, { lastingShare: 0.6, chargeShare }),
          );
          expect(lengthOf(large ?? [])).toBeLessThanOrEqual(lengthOf(small ?? []));
        },
      ),
      { numRuns: 30 },
    );
    const half = hoursOf({}, { lastingShare: 0.6, chargeShare: 0.5 });
    expect(half.map(({ startHour }) => startHour)).toEqual(whole.map(({ startHour }) => startHour));
    expect(lengthOf(half) / lengthOf(whole)).toBeCloseTo(0.5, 1);
  });

  it('comes not at all of pays that are missed', () => {
    const missed = hoursOf(irregularPay({ missedShare: 1 }), { lastingShare: 0.6, chargeShare: 0 });
    expect(missed).toEqual([]);
  });

  it('comes up to so many days late', () => {
    const late = hoursOf(irregularPay({ lateShare: 1, lateDaysHigh: 3 }), {
      lastingShare: 0.1,
      chargeShare: 0,
    });
    const prompt = hoursOf({}, { lastingShare: 0.1, chargeShare: 0 });
    const delays = late.map(({ startHour }, at) => (startHour - (prompt[at]?.startHour ?? 0)) / 24);
    expect(new Set(delays)).toEqual(new Set([1, 2, 3]));
  });

  it('of a pay in two halves comes twice, and lasts as long in all', () => {
    const split = hoursOf(irregularPay({ splitShare: 1 }), { lastingShare: 0.6, chargeShare: 0 });
    expect(split).toHaveLength(2 * whole.length);
    expect(lengthOf(split) / lengthOf(whole)).toBeCloseTo(1, 1);
  });

  it('of a small pay lasts shorter, and never covers what is more than it', () => {
    const small = irregularPay({ smallShare: 1, smallFactorLow: 0.2, smallFactorHigh: 0.4 });
    const hours = hoursOf(small, { lastingShare: 0.6, chargeShare: 0 });
    const share = lengthOf(hours) / lengthOf(whole);
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
    expect(hoursOf(small, { lastingShare: 0.6, chargeShare: 0.5 })).toEqual([]);
  });
});

describe('the past of a payer', () => {
  const world = buildWorld({ seed: 3, days: 28 });
  const payers = Array.from({ length: 400 }, (_, index) => drawPayer(world, index));

  it('is a charge a month before the failure, tried until it passed, in order', () => {
    for (const payer of payers) {
      const past = payerPast(world, payer);
      const hours = past.map(({ hour }) => hour);
      expect(hours).toEqual([...hours].sort((a, b) => a - b));
      expect(hours.every((hour) => hour < payer.failedHour)).toBe(true);
      for (let months = 1; months <= 12; months += 1) {
        const renewed = hourMonthsBefore(payer.failedHour, months);
        if (renewed < (hours[0] ?? payer.failedHour)) continue;
        expect(hours).toContain(renewed);
      }
      const passed = past.filter(({ succeeded }) => succeeded).length;
      expect(passed).toBeLessThanOrEqual(12);
    }
  });

  it('has declines only of payers who lack funds', () => {
    const declined = payers.filter((payer) =>
      payerPast(world, payer).some(({ succeeded }) => !succeeded),
    );
    expect(declined.length).toBeGreaterThan(50);
    expect(declined.every(({ cause }) => cause.kind === 'funds')).toBe(true);
  });

  it('is the same whenever it is asked for', () => {
    for (const payer of payers.slice(0, 20)) {
      expect(payerPast(world, payer)).toEqual(payerPast(world, payer));
    }
  });
});

describe('the hour some months before', () => {
  it('is that of the same day of the month, or of the last day of a shorter one', () => {
    // 31 May 2027, 13:00.
    const hour = 150 * 24 + 13;
    expect(instantOf(hour).toISOString()).toBe('2027-05-31T13:00:00.000Z');
    expect(instantOf(hourMonthsBefore(hour, 1)).toISOString()).toBe('2027-04-30T13:00:00.000Z');
    expect(instantOf(hourMonthsBefore(hour, 3)).toISOString()).toBe('2027-02-28T13:00:00.000Z');
    expect(instantOf(hourMonthsBefore(hour, 12)).toISOString()).toBe('2026-05-31T13:00:00.000Z');
  });
});
