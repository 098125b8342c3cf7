import type { Clock } from '../../domain/clock.ts';
import type { OperatorReports } from '../../recovery/admin/ports.ts';
import { allMerchants, type ModelStore } from '../../recovery/learned/model-ports.ts';
import type { PolicyApi } from '../../recovery/policy-api.ts';

/** What operators see and do of the learned policy's models. */
export function createModelActs(deps: {
  readonly clock: Clock;
  readonly models: Pick<ModelStore, 'list' | 'listTrainings' | 'noteTraining' | 'activate'>;
  readonly reports: Pick<OperatorReports, 'noteAct'>;
  requestTraining(merchantId: string): Promise<void>;
  /** Models have changed: the next plan looks again. */
  forgetModels(): void;
}): Pick<PolicyApi, 'listModels' | 'trainModel' | 'activateModel'> {
  const { models, clock, reports } = deps;
  return {
    async listModels() {
      const [all, trainings] = await Promise.all([models.list(), models.listTrainings()]);
      return { models: all, trainings };
    },
    async trainModel(merchantId = allMerchants) {
      const queued = { merchantId, state: 'queued', tries: 0, words: '' } as const;
      const at = clock.now();
      await models.noteTraining({ ...queued, at });
      const audit = { action: 'model.training_requested', detail: {}, at };
      await reports.noteAct({ merchantId, audit });
      await deps.requestTraining(merchantId);
    },
    async activateModel(modelId) {
      const model = (await models.list()).find((item) => item.modelId === modelId);
      if (model === undefined) return false;
      const { merchantId } = model;
      const isDone = await models.activate({
        merchantId,
        modelId,
        by: 'operator',
        at: clock.now(),
      });
      deps.forgetModels();
      return isDone;
    },
  };
}
