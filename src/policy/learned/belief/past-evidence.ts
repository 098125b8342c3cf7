import { hypothesisCount } from './belief-parameters.ts';
import { type BelievedCalendar, believedDay } from './believed-day.ts';
import type { PastSign } from './evidence.ts';
import { cycleCount } from './pay-cycles.ts';

/** How likely a charge succeeds in general, for hypotheses that know no paydays. */
const usualSuccess = 0.8;

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
  // Four charges at a time: a quarter as much to read and write of the sums.
  for (let place = 0; place < past.length; place += 4) {
    const one = past[place] ?? noSign;
    const two = past[place + 1] ?? noSign;
    const three = past[place + 2] ?? noSign;
    const four = past[place + 3] ?? noSign;
    const ofOne = logsOf(believed, one);
    const ofTwo = logsOf(believed, two);
    const ofThree = logsOf(believed, three);
    const ofFour = logsOf(believed, four);
    // Read before the loop: it would read them again for each hypothesis.
    const [inOne, inTwo] = [one.trust, two.trust];
    const [inThree, inFour] = [three.trust, four.trust];
    for (let at = 0; at < cycleCount; at += 1) {
      const early = (sums[at] ?? 0) + inOne * (ofOne[at] ?? 0) + inTwo * (ofTwo[at] ?? 0);
      sums[at] = early + inThree * (ofThree[at] ?? 0) + inFour * (ofFour[at] ?? 0);
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

function usualChance(sign: PastSign): number {
  if (sign === noSign) return 1;
  return (sign.succeeded ? usualSuccess : 1 - usualSuccess) ** sign.trust;
}

function logsOf({ parameters, calendar }: BelievedCalendar, sign: PastSign): Float64Array {
  if (sign === noSign) return noLogs;
  const { passed, dry } = believedDay(parameters, calendar, sign.day);
  return sign.succeeded ? passed : dry;
}
