import type { PolicyApi } from '../../recovery/policy-api.ts';
import { findMerchant } from '../../store/admin/merchants.ts';
import type { AppContext } from '../context.ts';
import type { Duties } from '../duties.ts';
import type { LearnedSide } from '../learned/learned-side.ts';
import { createModelActs } from './model-acts.ts';
import { createWhatIfActs } from './what-if-acts.ts';

/** What operators do about policies: models and what-ifs. */
export function createPolicyActs(
  { clock, random, db }: AppContext,
  parts: {
    readonly learned: LearnedSide;
    readonly duties: Pick<Duties, 'requestTraining' | 'requestWhatIf'>;
  },
): PolicyApi {
  const { learned, duties } = parts;
  return {
    ...createModelActs({
      clock,
      models: learned.models,
      forgetModels: () => learned.forgetModels(),
      requestTraining: (id) => duties.requestTraining(id),
    }),
    ...createWhatIfActs({
      clock,
      random,
      whatIfs: learned.whatIfs,
      findMerchant: (merchantId) => findMerchant(db, merchantId),
      requestWhatIf: (whatIf) => duties.requestWhatIf(whatIf),
    }),
  };
}
