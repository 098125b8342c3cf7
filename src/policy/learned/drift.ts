import { rounded } from './rounded.ts';

/** Tries of one generation of a model, with their scored chances added up. */
export interface CalibrationCounts {
  readonly tries: number;
  readonly successes: number;
  /** Sum of the chances that were predicted. */
  readonly foretold: number;
  /** Sum of chance x (1 - chance). */
  readonly variance: number;
  /** Sum of the successes' places by rising chance, ties sharing theirs; absent from before it was kept. */
  readonly rankSum?: number;
}

/**
 * How often a success had the higher chance than a failure (the area under the curve): 0.5 is chance alone.
 * Undefined where there are not both.
 */
export function rankingOf({ tries, successes, rankSum }: CalibrationCounts): number | undefined {
  const failures = tries - successes;
  if (rankSum === undefined || successes === 0 || failures === 0) return undefined;
  return (rankSum - (successes * (successes + 1)) / 2) / (successes * failures);
}

export type DriftVerdict =
  | { readonly kind: 'steady' }
  /** `words`: what was predicted, what came, and that the best fixed schedule is used. */
  | { readonly kind: 'drifted'; readonly message: string };

/** Fewer tries are noise. */
const minTries = 200;
/** Deviations that chance alone does not reach in years of daily looks. */
const minZ = 4;
/** A model that is off by less is still better than a schedule without one. */
const minRatio = 0.25;

/** A model whose order of tries is surely at most this tells no better hours from worse. */
const maxIdleRanking = 0.53;
const rankingDeviations = 3;

/**
 * Whether a model still predicts what happens. Where it surely does not, and by more than a quarter, or
 * where it surely ranks tries no better than chance does, payments are planned by the best simple schedule
 * until a new model is promoted.
 */
export function judgeDrift(counts: CalibrationCounts): DriftVerdict {
  const { tries, successes, foretold, variance } = counts;
  if (tries < minTries) return { kind: 'steady' };
  const z = (successes - foretold) / Math.sqrt(Math.max(variance, 1));
  const ratio = Math.abs(successes - foretold) / Math.max(foretold, 1);
  if (Math.abs(z) >= minZ && ratio >= minRatio) {
    return drifted(
      `of the last ${tries} tries ${successes} succeeded, where ${rounded(foretold)} were predicted`,
    );
  }
  const ranking = rankingOf(counts);
  if (ranking === undefined || !ranksByChance(counts, ranking)) return { kind: 'steady' };
  return drifted(
    `of the last ${tries} tries those that succeeded had the higher chance in ${Math.round(ranking * 100)} % of pairs, which is no better than chance`,
  );
}

/** Hanley and McNeil 1982: the deviation of an area under the curve that is near a half. */
function ranksByChance({ tries, successes }: CalibrationCounts, ranking: number): boolean {
  const failures = tries - successes;
  const deviation = Math.sqrt((tries + 1) / (12 * successes * failures));
  return ranking + rankingDeviations * deviation < maxIdleRanking;
}

function drifted(what: string): DriftVerdict {
  const message = `${what}: the best simple schedule is used until a better model is promoted`;
  return { kind: 'drifted', message };
}
