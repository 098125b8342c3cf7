import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayMs } from '../../../../src/domain/clock.ts';
import { cycleDay, cyclePhases } from '../../../../src/policy/learned/belief/pay-cycles.ts';
import { holidayCalendar, isBusinessDay } from '../../../../src/policy/learned/local-time.ts';

const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const dayOf = (date: string) => Date.parse(date) / dayMs;
/** Five days of Tet between two weekends. */
const tet = ['2026-02-16', '2026-02-17', '2026-02-18', '2026-02-19', '2026-02-20'];
const monthly = (date: number) =>
  cyclePhases.findIndex(({ cycle, phase }) => cycle === 3 && phase === date);

it('pay comes on a day with bank business, however long banks rest', () => {
  const first = dayOf('2025-01-01');
  const rests = fc.array(
    // Three weeks apart, so that none is longer than nine days and the weekends beside them.
    fc.record({ week: fc.integer({ min: 0, max: 28 }), days: fc.integer({ min: 1, max: 9 }) }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(rests, (stretches) => {
      const days = stretches.flatMap(({ week, days: count }) =>
        Array.from({ length: count }, (_, at) => first + 21 * week + at),
      );
      const calendar = holidayCalendar(days.map(dateOf));
      for (let day = first; day < first + 400; day += 1) {
        const { paidToday } = cycleDay(calendar, day);
        if (!isBusinessDay(calendar, day))
          expect([dateOf(day), [...paidToday]]).toEqual([dateOf(day), []]);
      }
    }),
    { numRuns: 30 },
  );
});

it('pay of the last day of a rest of nine days comes on the day before it', () => {
  const calendar = holidayCalendar(tet);
  const paidOn = (date: string) => [...cycleDay(calendar, dayOf(date)).paidToday];
  for (const date of [14, 18, 22]) expect(paidOn('2026-02-13')).toContain(monthly(date));
  expect(paidOn('2026-02-14')).toEqual([]);
  expect(paidOn('2026-02-23')).toContain(monthly(23));
});

it.each([
  ['2028-02-29', [29, 30]],
  ['2027-02-26', [26, 27, 28, 29, 30]],
  ['2026-04-30', [30]],
  ['2026-08-31', []],
])('the months’ ends: on %s the paydays %j are paid', (date, phases) => {
  const { paidToday } = cycleDay(holidayCalendar([]), dayOf(date));
  const all = Array.from({ length: 30 }, (_, at) => at + 1);
  expect(all.filter((phase) => paidToday.includes(monthly(phase)))).toEqual(phases);
});
