import type { Calendar } from './calendar.ts';
import { weekday } from './calendar.ts';
import type { Draws } from './draws.ts';
import type { Parameters } from './parameters.ts';

/** Stretches of hours in which an account can pay, in order, `endHour` not included. */
export type FundedHours = readonly { readonly startHour: number; readonly endHour: number }[];

export function isFunded(funded: FundedHours, hour: number): boolean {
  return funded.some(({ startHour, endHour }) => hour >= startHour && hour < endHour);
}

/** Hours until the account can pay: 0 where it can now, undefined where it never will. */
export function hoursToFunds(funded: FundedHours, hour: number): number | undefined {
  const next = funded.find(({ endHour }) => endHour > hour);
  return next === undefined ? undefined : Math.max(0, next.startHour - hour);
}

export interface FundsInput {
  readonly parameters: Parameters;
  readonly calendar: Calendar;
  readonly draws: Draws;
  readonly failedHour: number;
  /** Until when the account is asked. */
  readonly endHour: number;
  /** From which hour on paydays are shifted. */
  readonly regimeHour: number;
}

/** Tries to draw an account that is dry at the failure before one is made dry. */
const maxDraws = 64;
/** The longest pay period, a month, with room for holidays. */
const lookBackDays = 40;

/** An account with pay cycles that is dry at the first failure. */
export function paidAccount(input: FundsInput): FundedHours {
  for (let count = 0; count < maxDraws; count += 1) {
    const { fundedBetaA, fundedBetaB } = input.parameters.funds;
    const share = input.draws.beta(fundedBetaA, fundedBetaB);
    const funded = fundedPeriods(input, drawPaydays(input), share);
    if (!isFunded(funded, input.failedHour)) return funded;
  }
  return fundedPeriods(input, drawPaydays(input), 0);
}

/** A credit card whose limit is freed on the day its statement is paid. */
export function freedLimit({ parameters, draws, failedHour }: FundsInput): FundedHours {
  const { freedAfterDaysLow, freedAfterDaysHigh } = parameters.creditLimit;
  const days = freedAfterDaysLow + draws.unit() * (freedAfterDaysHigh - freedAfterDaysLow);
  const startHour = failedHour + Math.ceil(days * 24);
  return [{ startHour, endHour: Number.POSITIVE_INFINITY }];
}

/** Each period is funded from its payday's midnight for a share of its length. */
function fundedPeriods(
  { parameters, draws }: FundsInput,
  paydays: readonly number[],
  share: number,
): FundedHours {
  const periods = paydays.slice(0, -1).map((day, index) => {
    const hours = ((paydays[index + 1] ?? day) - day) * 24;
    const noise = parameters.funds.periodNoiseSd * draws.normal();
    const funded = share === 0 ? 0 : Math.min(1, Math.max(0, share + noise));
    return { startHour: day * 24, endHour: day * 24 + Math.round(hours * funded) };
  });
  return periods.filter(({ startHour, endHour }) => endHour > startHour);
}

type IsPayday = (day: number) => boolean;

/** Paydays around the window, in order, moved before weekends and holidays. */
function drawPaydays(input: FundsInput): readonly number[] {
  const { calendar, failedHour, endHour, regimeHour, parameters } = input;
  const isPayday = drawRhythm(input);
  const firstDay = Math.floor(failedHour / 24) - lookBackDays;
  const lastDay = Math.ceil(endHour / 24) + lookBackDays;
  const paydays: number[] = [];
  for (let day = firstDay; day <= lastDay; day += 1) {
    if (!isPayday(day)) continue;
    const shift = day * 24 >= regimeHour ? parameters.drift.paydayShiftDays : 0;
    const paid = calendar.businessDayBefore(day + shift);
    if (paid > (paydays.at(-1) ?? Number.NEGATIVE_INFINITY)) paydays.push(paid);
  }
  return paydays;
}

function drawRhythm({ parameters, calendar, draws }: FundsInput): IsPayday {
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
