import type { BelievedCalendar } from './belief.ts';
import { type BeliefParameters, hypothesisCount } from './belief-parameters.ts';
import type { PastSign } from './evidence.ts';
import { fundedOn } from './funded-on.ts';
import { type CycleDay, cycleCount, cycleDay } from './pay-cycles.ts';

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
  { parameters, calendar }: BelievedCalendar,
  past: readonly PastSign[],
  weights: Float64Array,
  sums: Float64Array,
): void {
  if (past.length === 0) return;
  sums.fill(0, 0, cycleCount);
  let usual = 1;
  // Two charges at a time: half as much to read and write of the sums.
  for (let place = 0; place < past.length; place += 2) {
    const [one, two] = [past[place], past[place + 1]];
    if (one === undefined) break;
    const oneLogs = logsOf({ parameters, calendar }, one);
    const twoLogs = two === undefined ? noLogs : logsOf({ parameters, calendar }, two);
    const [oneTrust, twoTrust] = [one.trust, two?.trust ?? 0];
    for (let at = 0; at < cycleCount; at += 1) {
      sums[at] = (sums[at] ?? 0) + oneTrust * (oneLogs[at] ?? 0) + twoTrust * (twoLogs[at] ?? 0);
    }
    usual *= usualChance(one) * (two === undefined ? 1 : usualChance(two));
  }
  for (let at = 0; at < cycleCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * Math.exp(sums[at] ?? 0);
  }
  for (let at = cycleCount; at < hypothesisCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * usual;
  }
}

const noLogs = new Float64Array(cycleCount);

function usualChance({ succeeded, trust }: PastSign): number {
  return (succeeded ? usualSuccess : 1 - usualSuccess) ** trust;
}

function logsOf({ parameters, calendar }: BelievedCalendar, sign: PastSign): Float64Array {
  const { passed, dry } = pastLogs(parameters, cycleDay(calendar, sign.day));
  return sign.succeeded ? passed : dry;
}

/** By hypothesis of a rhythm: the logarithms of a success's chance on a day, and of a failure's. */
interface PastLogs {
  readonly passed: Float64Array;
  readonly dry: Float64Array;
}

const known = new WeakMap<Float64Array, PastLogs>();

function pastLogs(parameters: BeliefParameters, day: CycleDay): PastLogs {
  const funded = fundedOn(parameters, day);
  const found = known.get(funded);
  if (found !== undefined) return found;
  const built = {
    passed: funded.map((can) => Math.log(floor + (1 - floor) * can)),
    dry: funded.map((can) => Math.log(floor + (1 - floor) * (1 - can))),
  };
  known.set(funded, built);
  return built;
}
