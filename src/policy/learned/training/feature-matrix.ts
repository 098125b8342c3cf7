import { beliefArrays, believe } from '../belief/belief.ts';
import type { BeliefParameters } from '../belief/belief-parameters.ts';
import type { RunningEncodings } from '../features/encodings.ts';
import { featureCount } from '../features/feature-names.ts';
import { featureArrays, prepareFacts, slotFeatures } from '../features/features.ts';
import type { UsualAmounts } from '../features/usual-amounts.ts';
import { type HolidayCalendar, localHour } from '../local-time.ts';
import type { TrainingRow } from '../retry-facts.ts';
import type { Matrix } from './logistic.ts';
import { rowWeights } from './row-weights.ts';

export interface MatrixInput {
  readonly belief: BeliefParameters;
  readonly calendar: HolidayCalendar;
  /** Filled as rows are passed, so that no try is encoded by its own outcome. */
  readonly running: RunningEncodings;
  readonly usualAmounts: UsualAmounts;
}

/** The features of each try; rows in order of time. */
export function featureMatrix(
  rows: readonly TrainingRow[],
  { belief: parameters, calendar, running, usualAmounts }: MatrixInput,
): Matrix {
  const values = new Float32Array(rows.length * featureCount);
  const outcomes = new Uint8Array(rows.length);
  const { falseDecline } = parameters;
  const { encodeAt: encodingOf } = running;
  const [beliefs, arrays] = [beliefArrays(), featureArrays()];
  rows.forEach(({ facts, atMs, succeeded }, at) => {
    const belief = believe(parameters, calendar, facts, beliefs);
    const prepared = prepareFacts({
      facts,
      belief,
      calendar,
      falseDecline,
      encodingOf,
      usualAmounts,
      arrays,
    });
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const expected = slotFeatures(prepared, hour, values, at * featureCount);
    running.add(facts, atMs, succeeded, expected);
    outcomes[at] = succeeded ? 1 : 0;
  });
  return { values, columns: featureCount, outcomes, weights: rowWeights(rows) };
}
