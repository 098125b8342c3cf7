import { addMs, dayMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { judgeTakeOver } from '../../policy/learned/steps/take-over.ts';
import { allMerchants } from './model-ports.ts';
import { stepSegments } from './segment-steps.ts';
import type { TakeOverDeps } from './take-over-ports.ts';
import { trialsOf, useOf } from './trials-of.ts';

/** Looks at each merchant's own payments, and moves its learned policy a step up or down. */
export async function stepTakeOver(deps: TakeOverDeps, at: Date): Promise<void> {
  const stepping = await deps.steps.listStepping();
  if (stepping.length === 0) return;
  const models = (await deps.models.list()).filter(({ status }) => status === 'active');
  for (const merchant of stepping) {
    const { merchantId, step, since = at, windowDays } = merchant;
    const model =
      models.find((item) => item.merchantId === merchantId) ??
      models.find((item) => item.merchantId === allMerchants);
    const until = addMs(at, -windowDays * dayMs);
    const groups =
      step === 0 || since >= until ? [] : await deps.steps.sumGroups(merchantId, since, until);
    const hasTrainedModel = model?.origin === 'trained' && model.distrust === undefined;
    const trials = trialsOf(merchant, model, at);
    const { message, ...verdict } = judgeTakeOver({ step, hasTrainedModel, groups, trials });
    const isLost = verdict.failedTrials > merchant.failedTrials;
    const isKept = await deps.steps.keepStep({
      merchantId,
      from: step,
      to: verdict.step,
      message,
      failedTrials: verdict.failedTrials,
      ...(isLost && present({ failedUse: useOf(model) })),
      at,
    });
    if (isKept && verdict.step !== step) {
      const fields = { merchantId, from: step, to: verdict.step, message };
      deps.log.info(fields, 'the learned share changed');
    }
    await stepSegments(deps, { merchant, model, hasTrainedModel, at });
  }
}
