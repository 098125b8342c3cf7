import { hypothesisCount } from './belief-parameters.ts';
import { type BelievedCalendar, believedDay } from './believed-day.ts';
import type { PastSigns } from './past-signs.ts';
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
  signs: PastSigns,
  weights: Float64Array,
  sums: Float64Array,
): void {
  if (signs.count === 0) return;
  sums.fill(0, 0, cycleCount);
  let usual = 1;
  // The oldest first, eight charges at a time: an eighth as much to read and write of the sums.
  for (let place = signs.count - 1; place >= 0; place -= 8) {
    addLogs(believed, signs, place, sums);
    for (let back = 0; back < 8; back += 2) {
      usual *= usualChance(signs, place - back) * usualChance(signs, place - back - 1);
    }
  }
  for (let at = 0; at < cycleCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * Math.exp(sums[at] ?? 0);
  }
  for (let at = cycleCount; at < hypothesisCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * usual;
  }
}

/** Adds what the charge at a place says, and the seven after it; before the first place none says anything. */
function addLogs(
  believed: BelievedCalendar,
  signs: PastSigns,
  place: number,
  sums: Float64Array,
): void {
  const { trusts } = signs;
  const ofOne = logsOf(believed, signs, place);
  const ofTwo = logsOf(believed, signs, place - 1);
  const ofThree = logsOf(believed, signs, place - 2);
  const ofFour = logsOf(believed, signs, place - 3);
  const ofFive = logsOf(believed, signs, place - 4);
  const ofSix = logsOf(believed, signs, place - 5);
  const ofSeven = logsOf(believed, signs, place - 6);
  const ofEight = logsOf(believed, signs, place - 7);
  // Read before the loop: it would read them again for each hypothesis.
  const [inOne, inTwo] = [trusts[place] ?? 0, trusts[place - 1] ?? 0];
  const [inThree, inFour] = [trusts[place - 2] ?? 0, trusts[place - 3] ?? 0];
  const [inFive, inSix] = [trusts[place - 4] ?? 0, trusts[place - 5] ?? 0];
  const [inSeven, inEight] = [trusts[place - 6] ?? 0, trusts[place - 7] ?? 0];
  for (let at = 0; at < cycleCount; at += 1) {
    const two = (sums[at] ?? 0) + inOne * (ofOne[at] ?? 0) + inTwo * (ofTwo[at] ?? 0);
    const four = two + inThree * (ofThree[at] ?? 0) + inFour * (ofFour[at] ?? 0);
    const six = four + inFive * (ofFive[at] ?? 0) + inSix * (ofSix[at] ?? 0);
    sums[at] = six + inSeven * (ofSeven[at] ?? 0) + inEight * (ofEight[at] ?? 0);
  }
}

const noLogs = new Float64Array(cycleCount);

function usualChance({ passed, trusts }: PastSigns, place: number): number {
  if (place < 0) return 1;
  return (passed[place] === 1 ? usualSuccess : 1 - usualSuccess) ** (trusts[place] ?? 0);
}

function logsOf(
  { parameters, calendar }: BelievedCalendar,
  signs: PastSigns,
  place: number,
): Float64Array {
  if (place < 0) return noLogs;
  const { passed, dry } = believedDay(parameters, calendar, signs.days[place] ?? 0);
  return signs.passed[place] === 1 ? passed : dry;
}
