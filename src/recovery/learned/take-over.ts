import { addMs, dayMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import {
  judgeTakeOver,
  type TakeOverGroup,
  type TakeOverStep,
} from '../../policy/learned/take-over.ts';
import type { TrialRecord } from '../../policy/learned/trial-pause.ts';
import { allMerchants, type ModelStore, type ModelView } from './model-ports.ts';

/** A merchant whose learned policy takes over by steps. */
export interface SteppingMerchant {
  readonly merchantId: string;
  readonly step: TakeOverStep;
  /** Since when; absent before the first look. */
  readonly since?: Date;
  readonly windowDays: number;
  /** Trials lost in a row. */
  readonly failedTrials: number;
  /** The part of the model that lost the last one. */
  readonly failedUse?: string;
}

export interface TakeOverStore {
  /** Merchants with the learned policy whose share nobody set by hand. */
  listStepping(): Promise<readonly SteppingMerchant[]>;
  /** Payments that failed from `from` to `until`, by groups of payers. */
  sumGroups(merchantId: string, from: Date, until: Date): Promise<readonly TakeOverGroup[]>;
  /** Keeps the step and why; false where it is another one meanwhile. */
  keepStep(input: {
    readonly merchantId: string;
    readonly from: TakeOverStep;
    readonly to: TakeOverStep;
    readonly message: string;
    readonly failedTrials: number;
    /** The part of the model that lost its trial; absent: the one that is kept stays. */
    readonly failedUse?: string;
    readonly at: Date;
  }): Promise<boolean>;
}

export interface TakeOverDeps {
  readonly models: Pick<ModelStore, 'list'>;
  readonly steps: TakeOverStore;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

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
    if (!isKept || verdict.step === step) continue;
    deps.log.info(
      { merchantId, from: step, to: verdict.step, message },
      'the learned share changed',
    );
  }
}

function trialsOf(
  { since, failedTrials, failedUse, windowDays }: SteppingMerchant,
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
function useOf(model: ModelView | undefined): string | undefined {
  const use = model?.metrics.use;
  if (typeof use !== 'string') return undefined;
  return use === 'coverage' ? use : 'belief';
}
