import { addMs, dayMs } from '../../domain/clock.ts';
import {
  judgeTakeOver,
  type TakeOverGroup,
  type TakeOverStep,
} from '../../policy/learned/take-over.ts';
import { allMerchants, type ModelStore } from './model-ports.ts';

/** A merchant whose learned policy takes over by steps. */
export interface SteppingMerchant {
  readonly merchantId: string;
  readonly step: TakeOverStep;
  /** Since when; absent before the first look. */
  readonly since?: Date;
  readonly windowDays: number;
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
  for (const { merchantId, step, since = at, windowDays } of stepping) {
    const model =
      models.find((item) => item.merchantId === merchantId) ??
      models.find((item) => item.merchantId === allMerchants);
    const until = addMs(at, -windowDays * dayMs);
    const groups =
      step === 0 || since >= until ? [] : await deps.steps.sumGroups(merchantId, since, until);
    const hasTrainedModel = model?.origin === 'trained' && model.distrust === undefined;
    const verdict = judgeTakeOver({ step, hasTrainedModel, groups });
    const { message } = verdict;
    const isKept = await deps.steps.keepStep({
      merchantId,
      from: step,
      to: verdict.step,
      message,
      at,
    });
    if (!isKept || verdict.step === step) continue;
    deps.log.info(
      { merchantId, from: step, to: verdict.step, message },
      'the learned share changed',
    );
  }
}
