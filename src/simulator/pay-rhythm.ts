import type { Calendar } from './calendar.ts';
import { weekday } from './calendar.ts';
import type { Draws } from './draws.ts';
import type { Parameters } from './parameters.ts';

/** Whether pay comes on a day, before weekends, holidays and changes of the world move it. */
export type IsPayday = (day: number) => boolean;

export interface RhythmInput {
  readonly parameters: Parameters;
  readonly calendar: Calendar;
  readonly draws: Draws;
}

/** How often a payer is paid, and on which days. */
export function drawRhythm({ parameters, calendar, draws }: RhythmInput): IsPayday {
  const { weeklyShare, biweeklyShare, semimonthlyShare, monthlyShare } = parameters.payFrequency;
  const frequency = draws.pick({
    weekly: weeklyShare,
    biweekly: biweeklyShare,
    semimonthly: semimonthlyShare,
    monthly: monthlyShare,
  });
  switch (frequency) {
    case 'weekly': {
      const name = drawWeekday(parameters, draws);
      return (day) => weekday(day) === name;
    }
    case 'biweekly': {
      const name = drawWeekday(parameters, draws);
      const phase = draws.unit() < 0.5 ? 0 : 1;
      return (day) => weekday(day) === name && Math.abs(Math.floor((day + 5) / 7) % 2) === phase;
    }
    case 'semimonthly': {
      const first = drawMonthDay(parameters, draws);
      const second = first > 15 ? first - 15 : first + 15;
      return (day) => isDayOfMonth(calendar, day, first) || isDayOfMonth(calendar, day, second);
    }
    case 'monthly': {
      const wanted = drawMonthDay(parameters, draws);
      return (day) => isDayOfMonth(calendar, day, wanted);
    }
  }
}

/** Months without such a day pay on their last. */
function isDayOfMonth(calendar: Calendar, day: number, wanted: number): boolean {
  const found = calendar.dayOfMonth(day);
  return found === wanted || (found < wanted && calendar.isLastOfMonth(day));
}

function drawWeekday({ payday }: Parameters, draws: Draws): number {
  const friday = 5;
  return draws.unit() < payday.fridayShare ? friday : 1 + Math.floor(draws.unit() * 4);
}

function drawMonthDay({ payday }: Parameters, draws: Draws): number {
  if (draws.unit() >= payday.namedDayShare) return 1 + Math.floor(draws.unit() * 30);
  const { day1Share, day5Share, day15Share, day25Share, day30Share } = payday;
  const names = { 1: day1Share, 5: day5Share, 15: day15Share, 25: day25Share, 30: day30Share };
  return Number(draws.pick(names));
}
