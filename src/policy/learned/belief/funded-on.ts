import { type BeliefParameters, missedBucket } from './belief-parameters.ts';
import { type CycleDay, cycleCount, fundedShares } from './pay-cycles.ts';

const known = new WeakMap<BeliefParameters, WeakMap<CycleDay, Float64Array>>();

/**
 * By hypothesis of a rhythm: the chance that the account can pay on a day, its pay having come as it
 * should or not. Remembered for each model and day.
 */
export function fundedOn(parameters: BeliefParameters, day: CycleDay): Float64Array {
  let days = known.get(parameters);
  if (days === undefined) {
    days = new WeakMap();
    known.set(parameters, days);
  }
  const found = days.get(day);
  if (found !== undefined) return found;
  const shares = fundedShares.length;
  const funded = Float64Array.from({ length: cycleCount }, (_, at) => {
    const since = day.daysSincePayday[Math.floor(at / shares)] ?? 0;
    return (day.funded[at] ?? 0) * (1 - (parameters.missed[missedBucket(since)] ?? 0));
  });
  days.set(day, funded);
  return funded;
}
