import { dayMs } from '../../domain/clock.ts';
import type { TrialRecord } from '../../policy/learned/steps/trial-pause.ts';
import type { ModelView } from './model-ports.ts';
import type { SteppingMerchant } from './take-over-ports.ts';

/** What became of the trials of a merchant, or of one segment of it. */
export function trialsOf(
  {
    since,
    failedTrials,
    failedUse,
    windowDays,
  }: Pick<SteppingMerchant, 'since' | 'failedTrials' | 'failedUse' | 'windowDays'>,
  model: ModelView | undefined,
  at: Date,
): TrialRecord {
  const { activatedAt, activatedBy } = model ?? {};
  const isChosen =
    activatedBy === 'operator' &&
    activatedAt !== undefined &&
    since !== undefined &&
    activatedAt >= since;
  return {
    failedTrials,
    windowDays,
    daysSince: since === undefined ? 0 : (at.getTime() - since.getTime()) / dayMs,
    isAnother: isChosen || (failedUse !== undefined && failedUse !== useOf(model)),
  };
}

/** The part of a trained model that plans, as its report names it; both forms of the belief are one. */
export function useOf(model: ModelView | undefined): string | undefined {
  const use = model?.metrics.use;
  if (typeof use !== 'string') return undefined;
  return use === 'coverage' ? use : 'belief';
}
