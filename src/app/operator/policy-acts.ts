import type { AdminApi } from '../../recovery/operator-api.ts';
import type { PolicyApi } from '../../recovery/policy-api.ts';
import type { AppContext } from '../context.ts';
import type { Duties } from '../duties.ts';
import type { LearnedSide } from '../learned/learned-side.ts';
import { createModelActs } from './model-acts.ts';
import { createWhatIfActs } from './what-if-acts.ts';

/** What operators see and do of policies: models, experiments and what-ifs. */
export function createPolicyActs(
  { clock, random }: AppContext,
  parts: {
    readonly learned: LearnedSide;
    readonly duties: Pick<Duties, 'requestTraining' | 'requestWhatIf'>;
    readonly showMerchant: AdminApi['showMerchant'];
  },
): PolicyApi {
  const { learned, duties, showMerchant } = parts;
  return {
    ...createModelActs({
      clock,
      models: learned.models,
      forgetModels: () => learned.forgetModels(),
      requestTraining: (id) => duties.requestTraining(id),
    }),
    listExperiments: (query) => learned.listExperiments(query),
    ...createWhatIfActs({
      clock,
      random,
      showMerchant,
      whatIfs: learned.whatIfs,
      requestWhatIf: (whatIf) => duties.requestWhatIf(whatIf),
    }),
  };
}
