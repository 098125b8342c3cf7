import type { AdminApi } from '../../recovery/operator-api.ts';
import type { PolicyApi } from '../../recovery/policy-api.ts';
import type { BackgroundJobs } from '../background-jobs.ts';
import type { AppContext } from '../context.ts';
import type { LearnedModule } from '../learned/learned-module.ts';
import { createModelActions } from './model-actions.ts';
import { createWhatIfActions } from './what-if-actions.ts';

/** What operators see and do of policies: models, experiments and what-ifs. */
export function createPolicyActions(
  { clock, random }: AppContext,
  parts: {
    readonly learned: LearnedModule;
    readonly jobs: Pick<BackgroundJobs, 'requestTraining' | 'requestWhatIf'>;
    readonly showMerchant: AdminApi['showMerchant'];
  },
): PolicyApi {
  const { learned, jobs, showMerchant } = parts;
  return {
    ...createModelActions({
      clock,
      models: learned.models,
      forgetModels: () => learned.forgetModels(),
      requestTraining: (id) => jobs.requestTraining(id),
    }),
    listExperiments: (query) => learned.listExperiments(query),
    ...createWhatIfActions({
      clock,
      random,
      showMerchant,
      whatIfs: learned.whatIfs,
      requestWhatIf: (whatIf) => jobs.requestWhatIf(whatIf),
    }),
  };
}
