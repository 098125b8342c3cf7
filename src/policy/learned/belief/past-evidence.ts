import type { HolidayCalendar } from '../local-time.ts';
import type { BelievedCalendar } from './belief.ts';
import { type BeliefParameters, hypothesisCount } from './belief-parameters.ts';
import type { PastSign } from './evidence.ts';
import { fundedOn } from './funded-on.ts';
import { cycleCount, cycleDay } from './pay-cycles.ts';

/** How likely a charge succeeds in general, for hypotheses that know no paydays. */
const usualSuccess = 0.8;
/** What is left of a chance where a hypothesis speaks against what happened. */
const floor = 0.1;

/**
 * What the payer's own earlier charges say of their paydays: a success at a time at which a rhythm has
 * them dry speaks against it, a lack of funds just after its payday too. Each chance is raised to its
 * trust; the logarithms are summed, so that one exponential a hypothesis is enough for all charges.
 */
export function weighPast(
  believed: BelievedCalendar,
  past: readonly PastSign[],
  weights: Float64Array,
  sums: Float64Array,
): void {
  if (past.length === 0) return;
  sums.fill(0, 0, cycleCount);
  let usual = 1;
  const days = knownDays(believed);
  // Four charges at a time: a quarter as much to read and write of the sums.
  for (let place = 0; place < past.length; place += 4) {
    const one = past[place] ?? noSign;
    const two = past[place + 1] ?? noSign;
    const three = past[place + 2] ?? noSign;
    const four = past[place + 3] ?? noSign;
    const ofOne = logsOf(believed, days, one);
    const ofTwo = logsOf(believed, days, two);
    const ofThree = logsOf(believed, days, three);
    const ofFour = logsOf(believed, days, four);
    for (let at = 0; at < cycleCount; at += 1) {
      const early = (sums[at] ?? 0) + one.trust * (ofOne[at] ?? 0) + two.trust * (ofTwo[at] ?? 0);
      sums[at] = early + three.trust * (ofThree[at] ?? 0) + four.trust * (ofFour[at] ?? 0);
    }
    usual *= usualChance(one) * usualChance(two);
    usual *= usualChance(three) * usualChance(four);
  }
  for (let at = 0; at < cycleCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * Math.exp(sums[at] ?? 0);
  }
  for (let at = cycleCount; at < hypothesisCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * usual;
  }
}

/** Says nothing: stands where there is no fourth charge. */
const noSign: PastSign = { day: Number.NaN, succeeded: true, trust: 0 };
const noLogs = new Float64Array(cycleCount);

function usualChance({ succeeded, trust }: PastSign): number {
  return (succeeded ? usualSuccess : 1 - usualSuccess) ** trust;
}

/** By hypothesis of a rhythm: the logarithms of a success's chance on a day, and of a failure's. */
interface PastLogs {
  readonly passed: Float64Array;
  readonly dry: Float64Array;
}

type KnownDays = Map<number, PastLogs>;

const known = new WeakMap<BeliefParameters, WeakMap<HolidayCalendar, KnownDays>>();

/** The days that were asked for, of a model and a calendar: found once for all charges of a payer. */
function knownDays({ parameters, calendar }: BelievedCalendar): KnownDays {
  let calendars = known.get(parameters);
  if (calendars === undefined) {
    calendars = new WeakMap();
    known.set(parameters, calendars);
  }
  let days = calendars.get(calendar);
  if (days === undefined) {
    days = new Map();
    calendars.set(calendar, days);
  }
  return days;
}

function logsOf(believed: BelievedCalendar, days: KnownDays, sign: PastSign): Float64Array {
  if (sign === noSign) return noLogs;
  const { passed, dry } = days.get(sign.day) ?? keepDay(believed, days, sign.day);
  return sign.succeeded ? passed : dry;
}

function keepDay(
  { parameters, calendar }: BelievedCalendar,
  days: KnownDays,
  day: number,
): PastLogs {
  const funded = fundedOn(parameters, cycleDay(calendar, day));
  const logs = {
    passed: funded.map((can) => Math.log(floor + (1 - floor) * can)),
    dry: funded.map((can) => Math.log(floor + (1 - floor) * (1 - can))),
  };
  days.set(day, logs);
  return logs;
}
