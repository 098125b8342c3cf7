import { buildCalendar, type Calendar } from './calendar.ts';
import { buildIssuers, type Issuers } from './issuers.ts';
import { type Parameters, parameters as published } from './parameters.ts';

/** What all payers of a run share. */
export interface World {
  readonly seed: number;
  /** Days from each failure to the end of its recovery. */
  readonly days: number;
  readonly parameters: Parameters;
  readonly calendar: Calendar;
  readonly issuers: Issuers;
}

/** Days before the failures, as far as payers' past goes, and after them, for which paydays are looked up. */
const [pastDays, marginDays] = [450, 60];

/** The world of a seed. The same input gives the same world. */
export function buildWorld(input: {
  readonly seed: number;
  readonly days: number;
  readonly parameters?: Parameters;
}): World {
  const { seed, days, parameters = published } = input;
  const lastDay = parameters.drift.spreadDays + days + 1;
  return {
    seed,
    days,
    parameters,
    calendar: buildCalendar(-pastDays, lastDay + marginDays),
    issuers: buildIssuers(parameters, seed, lastDay * 24),
  };
}
