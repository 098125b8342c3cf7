import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCalendar, isBusinessDay, weekday } from '../../src/simulator/calendar.ts';
import { drawsOf, purposes, unitAt } from '../../src/simulator/draws.ts';
import { freedLimit, hoursToFunds, isFunded, paidAccount } from '../../src/simulator/funds.ts';
import { parameterRows, parameters } from '../../src/simulator/parameters.ts';
import { buildWorld } from '../../src/simulator/world.ts';

describe('parameters', () => {
  const rows = Object.values(parameterRows);

  it('are 31 rows in order, each with its source or the mark of a guess', () => {
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 31 }, (_, at) => at + 1));
    const bare = rows.filter((row) => !('source' in row) && !('guess' in row));
    expect(bare).toEqual([]);
  });

  it.each(['cause', 'funding', 'fundingOfFunds', 'payFrequency', 'lifecycle', 'limits'] as const)(
    'the mix of %s sums to 1',
    (name) => {
      const sum = Object.values(parameters[name]).reduce((total, share) => total + share, 0);
      expect(sum).toBeCloseTo(1, 9);
    },
  );
});

describe('draws', () => {
  it('are the same at the same place, and uniform over places', () => {
    const tenths = new Array<number>(10).fill(0);
    for (let payer = 0; payer < 100; payer += 1) {
      for (let hour = 0; hour < 100; hour += 1) {
        const unit = unitAt(9, payer, hour, purposes.falseDecline);
        expect(unit).toBe(unitAt(9, payer, hour, purposes.falseDecline));
        const tenth = Math.floor(unit * 10);
        tenths[tenth] = (tenths[tenth] ?? 0) + 1;
      }
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it('have the means of their distributions', () => {
    const count = 4_000;
    const draws = drawsOf(1, 1, purposes.latent);
    const mean = (draw: () => number) =>
      Array.from({ length: count }, draw).reduce((sum, value) => sum + value, 0) / count;
    expect(mean(() => draws.normal())).toBeCloseTo(0, 1);
    expect(mean(() => draws.exponential(4))).toBeCloseTo(4, 0);
    expect(mean(() => draws.beta(1.7, 2.3))).toBeCloseTo(0.425, 1);
    expect(mean(() => draws.beta(0.5, 1.5))).toBeCloseTo(0.25, 1);
    expect(mean(() => (draws.pick({ a: 3, b: 1 }) === 'a' ? 1 : 0))).toBeCloseTo(0.75, 1);
  });
});

describe('the calendar', () => {
  it.each([
    ['2027-01-01', 'New Year'],
    ['2027-01-18', 'Martin Luther King'],
    ['2027-05-31', 'Memorial Day'],
    ['2027-07-05', 'Independence Day, kept on the Monday'],
    ['2027-09-06', 'Labor Day'],
    ['2027-11-25', 'Thanksgiving'],
    ['2027-10-02', 'a Saturday'],
  ])('%s is no business day: %s', (date) => {
    expect(isBusinessDay(new Date(`${date}T00:00:00Z`))).toBe(false);
  });

  it.each(['2027-01-04', '2027-06-18', '2027-12-24', '2027-05-24', '2027-11-18'])(
    '%s is one',
    (date) => {
      expect(isBusinessDay(new Date(`${date}T00:00:00Z`))).toBe(true);
    },
  );

  it('begins on a Friday and moves days off to the business day before', () => {
    const calendar = buildCalendar(-10, 60);
    expect(weekday(0)).toBe(5);
    expect(weekday(-1)).toBe(4);
    expect(calendar.businessDayBefore(0)).toBe(-1);
    expect(calendar.businessDayBefore(2)).toBe(-1);
    expect(calendar.businessDayBefore(3)).toBe(3);
    expect([calendar.dayOfMonth(30), calendar.isLastOfMonth(30)]).toEqual([31, true]);
  });
});

describe('funds', () => {
  const world = buildWorld({ seed: 1, days: 28 });
  const accounts = fc
    .record({
      payer: fc.nat(10_000),
      failedHour: fc.nat(364 * 24),
      a: fc.double({ min: 0.2, max: 9, noNaN: true }),
    })
    .map(({ payer, failedHour, a }) => ({
      parameters: { ...parameters, funds: { ...parameters.funds, fundedBetaA: a } },
      calendar: world.calendar,
      draws: drawsOf(1, payer, purposes.funds),
      irregular: drawsOf(1, payer, purposes.irregularPay),
      amountMinor: 2_000,
      failedHour,
      endHour: failedHour + 28 * 24,
      regimeHour: world.issuers.regimeHour,
    }));

  it('are wanting at the first failure, and come within a month and its holidays', () => {
    fc.assert(
      fc.property(accounts, (input) => {
        const { funded } = paidAccount(input);
        expect(isFunded(funded, input.failedHour)).toBe(false);
        const wait = hoursToFunds(funded, input.failedHour);
        if (wait !== undefined) {
          expect(wait).toBeGreaterThan(0);
          expect(isFunded(funded, input.failedHour + wait)).toBe(true);
          expect(isFunded(funded, input.failedHour + wait - 1)).toBe(false);
        }
      }),
    );
  });

  it('of a credit card are freed within 30 days and stay', () => {
    fc.assert(
      fc.property(accounts, fc.nat(10_000), (input, later) => {
        const funded = freedLimit(input);
        const wait = hoursToFunds(funded, input.failedHour) ?? 0;
        expect(wait).toBeGreaterThanOrEqual(24);
        expect(wait).toBeLessThanOrEqual(30 * 24);
        expect(isFunded(funded, input.failedHour + wait + later)).toBe(true);
      }),
    );
  });
});
