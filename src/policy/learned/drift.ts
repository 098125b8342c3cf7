import { rounded } from './rounded.ts';

/** Tries of one generation of a model, with their scored chances added up. */
export interface CalibrationCounts {
  readonly tries: number;
  readonly successes: number;
  /** Sum of the chances that were predicted. */
  readonly foretold: number;
  /** Sum of chance x (1 - chance). */
  readonly variance: number;
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

/**
 * Whether a model still predicts what happens. Where it surely does not, and by more than a quarter,
 * payments are planned by the best fixed schedule until a new model is promoted.
 */
export function judgeDrift({
  tries,
  successes,
  foretold,
  variance,
}: CalibrationCounts): DriftVerdict {
  if (tries < minTries) return { kind: 'steady' };
  const z = (successes - foretold) / Math.sqrt(Math.max(variance, 1));
  const ratio = Math.abs(successes - foretold) / Math.max(foretold, 1);
  if (Math.abs(z) < minZ || ratio < minRatio) return { kind: 'steady' };
  const message =
    `of the last ${tries} tries ${successes} succeeded, where ${rounded(foretold)} were predicted: ` +
    'the best fixed schedule is used until a better model is promoted';
  return { kind: 'drifted', message };
}
