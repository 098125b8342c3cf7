import type { PolicyApi } from '../../recovery/policy-api.ts';
import { findMerchant } from '../../store/admin/merchants.ts';
import type { BackgroundJobs } from '../background-jobs.ts';
import type { AppContext } from '../context.ts';
import type { LearnedModule } from '../learned/learned-module.ts';
import { createModelActions } from './model-actions.ts';
import { createWhatIfActions } from './what-if-actions.ts';

/** What operators do about policies: models and what-ifs. */
export function createPolicyActions(
  { clock, random, db }: AppContext,
  parts: {
    readonly learned: LearnedModule;
    readonly jobs: Pick<BackgroundJobs, 'requestTraining' | 'requestWhatIf'>;
  },
): PolicyApi {
  const { learned, jobs } = parts;
  return {
    ...createModelActions({
      clock,
      models: learned.models,
      forgetModels: () => learned.forgetModels(),
      requestTraining: (id) => jobs.requestTraining(id),
    }),
    ...createWhatIfActions({
      clock,
      random,
      whatIfs: learned.whatIfs,
      findMerchant: (merchantId) => findMerchant(db, merchantId),
      requestWhatIf: (whatIf) => jobs.requestWhatIf(whatIf),
    }),
  };
}
