import type { Clock } from '../../domain/clock.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import { allMerchants, type ModelStore } from '../../recovery/learned/model-ports.ts';
import type { PolicyApi } from '../../recovery/policy-api.ts';

/** What operators do to the learned policy's models. */
export function createModelActions(deps: {
  readonly clock: Clock;
  readonly models: Pick<ModelStore, 'list' | 'requestTraining' | 'activate' | 'ensureShipped'>;
  requestTraining(merchantId: string): Promise<void>;
  /** Models have changed: the next plan looks again. */
  forgetModels(): void;
}): Pick<PolicyApi, 'trainModel' | 'activateModel'> {
  const { models, clock } = deps;
  return {
    async trainModel(merchantId = allMerchants) {
      await models.requestTraining({ merchantId, at: clock.now() });
      await deps.requestTraining(merchantId);
    },
    async activateModel(modelId) {
      // The way back to the shipped model must exist whatever was trained so far.
      if (modelId === priorModel.version) await models.ensureShipped(priorModel, clock.now());
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
