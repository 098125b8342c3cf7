import { addMs, dayMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { judgeSegment } from '../../policy/learned/steps/segment-steps.ts';
import { minPayments } from '../../policy/learned/steps/take-over.ts';
import type { ModelView } from './model-ports.ts';
import type { SteppingMerchant, TakeOverDeps } from './take-over-ports.ts';
import { trialsOf, useOf } from './trials-of.ts';

export interface SegmentsInput {
  readonly merchant: SteppingMerchant;
  /** The model that plans the merchant's payments. */
  readonly model: ModelView | undefined;
  /** Whether it was trained here and is trusted. */
  readonly hasTrainedModel: boolean;
  readonly at: Date;
}

/** The largest ones are looked at: smaller ones have too few payments to tell. */
const maxSegments = 20;

/**
 * Looks at the payments of each segment of a merchant, its products, where there are enough, and gives those
 * a step of their own that have shown to need another one than the merchant's.
 */
export async function stepSegments(deps: TakeOverDeps, input: SegmentsInput): Promise<void> {
  const { merchant, model, hasTrainedModel, at } = input;
  const { merchantId, step, since = at, windowDays } = merchant;
  if (!hasTrainedModel) return deps.steps.forgetSegments(merchantId, at);
  const own = await deps.steps.listSegments(merchantId);
  if (own.length === 0 && step === 0) return;
  const groups = await deps.steps.sumSegments({
    merchantId,
    from: since,
    until: addMs(at, -windowDays * dayMs),
    minPayments,
    most: maxSegments,
  });
  for (const segment of new Set([...own.map((item) => item.segment), ...groups.keys()])) {
    const held = own.find((item) => item.segment === segment);
    const verdict = judgeSegment({
      merchantStep: step,
      groups: groups.get(segment) ?? [],
      ...(held !== undefined && {
        own: { step: held.step, trials: trialsOf({ ...held, windowDays }, model, at) },
      }),
    });
    if (verdict === undefined) continue;
    const isLost = verdict.failedTrials > (held?.failedTrials ?? 0);
    const failedUse = isLost ? useOf(model) : held?.failedUse;
    const isKept = await deps.steps.keepSegment({
      merchantId,
      segment,
      to: verdict.step,
      message: verdict.message,
      failedTrials: verdict.failedTrials,
      at,
      ...present({ from: held?.step, failedUse }),
    });
    if (!isKept || verdict.step === held?.step) continue;
    const fields = { merchantId, segment, from: held?.step ?? step, to: verdict.step };
    deps.log.info(fields, 'the learned share of a segment changed');
  }
}
