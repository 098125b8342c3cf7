import type { HolidayCalendar } from '../local-time.ts';
import { type BeliefParameters, missedBucket } from './belief-parameters.ts';
import { type CycleDay, cycleCount, cycleDay, fundedShares } from './pay-cycles.ts';

/** The days, and how likely each rhythm keeps to them. */
export interface BelievedCalendar {
  readonly parameters: BeliefParameters;
  readonly calendar: HolidayCalendar;
}

/** What is believed of one local day; each list is by hypothesis of a rhythm. */
export interface BelievedDay {
  readonly of: CycleDay;
  /** The chance that the account can pay, its pay having come as it should or not. */
  readonly funded: Float64Array;
  /** The logarithms of the chance that an earlier charge of that day passed, and that it lacked funds. */
  readonly passed: Float64Array;
  readonly dry: Float64Array;
}

/** What is left of a chance where a hypothesis speaks against what happened. */
const floor = 0.1;

type KnownDays = Map<number, BelievedDay>;

const known = new WeakMap<BeliefParameters, WeakMap<HolidayCalendar, KnownDays>>();

/** The days that were asked for last: nearly all that come next are of the same model and calendar. */
let last: (BelievedCalendar & { readonly days: KnownDays }) | undefined;

/** Remembered for each model, calendar and day. */
export function believedDay(
  parameters: BeliefParameters,
  calendar: HolidayCalendar,
  day: number,
): BelievedDay {
  if (last === undefined || last.parameters !== parameters || last.calendar !== calendar) {
    last = { parameters, calendar, days: knownDays(parameters, calendar) };
  }
  return last.days.get(day) ?? keepDay(last, day);
}

function knownDays(parameters: BeliefParameters, calendar: HolidayCalendar): KnownDays {
  const calendars = known.get(parameters) ?? new WeakMap<HolidayCalendar, KnownDays>();
  known.set(parameters, calendars);
  const days: KnownDays = calendars.get(calendar) ?? new Map();
  calendars.set(calendar, days);
  return days;
}

function keepDay(
  { parameters, calendar, days }: BelievedCalendar & { readonly days: KnownDays },
  day: number,
): BelievedDay {
  const of = cycleDay(calendar, day);
  const shares = fundedShares.length;
  const funded = new Float64Array(cycleCount);
  const passed = new Float64Array(cycleCount);
  const dry = new Float64Array(cycleCount);
  for (let at = 0; at < cycleCount; at += 1) {
    const since = of.daysSincePayday[Math.floor(at / shares)] ?? 0;
    const can = (of.funded[at] ?? 0) * (1 - (parameters.missed[missedBucket(since)] ?? 0));
    funded[at] = can;
    passed[at] = Math.log(floor + (1 - floor) * can);
    dry[at] = Math.log(floor + (1 - floor) * (1 - can));
  }
  const believed = { of, funded, passed, dry };
  days.set(day, believed);
  return believed;
}
