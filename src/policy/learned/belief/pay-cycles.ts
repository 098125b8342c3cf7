import { dayMs } from '../../../domain/clock.ts';
import {
  dayOfMonth,
  daysLeftInMonth,
  type HolidayCalendar,
  isBusinessDay,
  weekdayOf,
} from '../local-time.ts';

/**
 * The ways in which an account may fill and run dry: a rhythm of paydays, which day it falls on, and
 * for which share of each period the money lasts. Rhythms are those of the US Bureau of Labor
 * Statistics (2014-06-05: weekly, biweekly, semimonthly, monthly); elsewhere monthly leads.
 */
export const cycleNames = ['weekly', 'biweekly', 'semimonthly', 'monthly'] as const;

/** One phase of a rhythm: a weekday, a day of fourteen, or a day of the month. */
export interface CyclePhase {
  readonly cycle: number;
  /** Weekday 0 to 6; day modulo 14; first of two days of the month, 15 apart; day of the month. */
  readonly phase: number;
}

export const cyclePhases: readonly CyclePhase[] = [
  ...Array.from({ length: 7 }, (_, phase) => ({ cycle: 0, phase })),
  ...Array.from({ length: 14 }, (_, phase) => ({ cycle: 1, phase })),
  ...Array.from({ length: 15 }, (_, index) => ({ cycle: 2, phase: index + 1 })),
  ...Array.from({ length: 30 }, (_, index) => ({ cycle: 3, phase: index + 1 })),
];

/** Shares of a pay period for which money lasts, and the softness of its end. */
export const fundedShares = [0.08, 0.22, 0.4, 0.62, 0.88] as const;
const shareSoftness = 0.05;

export const cycleCount = cyclePhases.length * fundedShares.length;

/** What the rhythms say of one local day. */
export interface CycleDay {
  /** Chance from 0 to 1 that the account can pay, by phase and then by share. */
  readonly funded: Float64Array;
  /** Days to the next payday after this day, by phase. */
  readonly daysToPayday: Uint8Array;
  /** Days since the last payday, 0 on one, by phase. */
  readonly daysSincePayday: Uint8Array;
  /** The phases whose payday this day is. */
  readonly paidToday: Uint8Array;
  /** The phases whose payday was one or two days ago. */
  readonly paidLately: Uint8Array;
  /** From 1 to 31. */
  readonly date: number;
  readonly daysLeftInMonth: number;
  readonly isBusinessDay: boolean;
}

/** Banks rest no longer in any country: nine days around a new year, weekends among them. */
const maxRestDays = 14;
/** The longest way back to a payday: a month, moved by such a rest. */
const marginDays = 31 + maxRestDays;
const chunkDays = 64;

const tables = new WeakMap<HolidayCalendar, Map<number, CycleDay>>();

/** The rhythms on a day; built in stretches and remembered for each calendar. */
export function cycleDay(calendar: HolidayCalendar, day: number): CycleDay {
  let table = tables.get(calendar);
  if (table === undefined) {
    table = new Map();
    tables.set(calendar, table);
  }
  const known = table.get(day);
  if (known !== undefined) return known;
  const built = buildChunk(calendar, Math.floor(day / chunkDays) * chunkDays);
  for (const [at, row] of built) table.set(at, row);
  return built.get(day) ?? withPaid(emptyDay(calendar, day));
}

function buildChunk(calendar: HolidayCalendar, from: number): Map<number, CycleDay> {
  const rows = new Map<number, PhaseDays>();
  for (let day = from; day < from + chunkDays; day += 1) rows.set(day, emptyDay(calendar, day));
  const days = Array.from({ length: chunkDays + 2 * marginDays }, (_, at) => {
    const day = from - marginDays + at;
    return { day, date: new Date(day * dayMs).getUTCDate(), paid: businessDay(calendar, day) };
  });
  cyclePhases.forEach((item, index) => {
    const paydays: number[] = [];
    days.forEach(({ day, date, paid }, at) => {
      const isLast = days[at + 1]?.date === 1;
      if (!isPayday(item, day, date, isLast)) return;
      if (paid > (paydays.at(-1) ?? Number.NEGATIVE_INFINITY)) paydays.push(paid);
    });
    fillPhase(rows, index, paydays);
  });
  return new Map([...rows].map(([day, row]) => [day, withPaid(row)]));
}

type PhaseDays = Omit<CycleDay, 'paidToday' | 'paidLately'>;

function withPaid(row: PhaseDays): CycleDay {
  const phases = [...row.daysSincePayday.keys()];
  const since = (phase: number) => row.daysSincePayday[phase] ?? 0;
  return {
    ...row,
    paidToday: Uint8Array.from(phases.filter((phase) => since(phase) === 0)),
    paidLately: Uint8Array.from(phases.filter((phase) => since(phase) > 0 && since(phase) <= 2)),
  };
}

function fillPhase(rows: Map<number, PhaseDays>, index: number, paydays: readonly number[]): void {
  let at = 0;
  for (const [day, row] of rows) {
    while ((paydays[at + 1] ?? Number.POSITIVE_INFINITY) <= day) at += 1;
    const last = paydays[at] ?? day;
    const next = paydays[at + 1] ?? last + 30;
    row.daysSincePayday[index] = day - last;
    row.daysToPayday[index] = next - day;
    const passed = (day - last + 0.5) / (next - last);
    fundedShares.forEach((share, place) => {
      // On the payday itself there is money, however little of the period it lasts.
      const lasts = Math.max(share, 0.75 / (next - last));
      row.funded[index * fundedShares.length + place] =
        1 / (1 + Math.exp((passed - lasts) / shareSoftness));
    });
  }
}

function emptyDay(calendar: HolidayCalendar, day: number): PhaseDays {
  const phases = cyclePhases.length;
  return {
    date: dayOfMonth(day),
    daysLeftInMonth: daysLeftInMonth(day),
    isBusinessDay: isBusinessDay(calendar, day),
    funded: new Float64Array(cycleCount),
    daysToPayday: new Uint8Array(phases),
    daysSincePayday: new Uint8Array(phases),
  };
}

function isPayday(item: CyclePhase, day: number, date: number, isLast: boolean): boolean {
  const { cycle, phase } = item;
  const isDate = (wanted: number) => date === wanted || (isLast && date < wanted);
  switch (cycle) {
    case 0:
      return weekdayOf(day) === phase;
    case 1:
      return ((day % 14) + 14) % 14 === phase;
    case 2:
      return isDate(phase) || isDate(phase + 15);
    default:
      return isDate(phase);
  }
}

/** Pay that falls on a day without bank business comes on the last business day before. */
function businessDay(calendar: HolidayCalendar, day: number): number {
  let paid = day;
  while (!isBusinessDay(calendar, paid) && paid > day - maxRestDays) paid -= 1;
  return paid;
}
