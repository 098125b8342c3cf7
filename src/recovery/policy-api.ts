import type { ModelView, TrainingView } from './learned/model-ports.ts';
import type { ExperimentsQuery, ExperimentView } from './reports/experiments.ts';
import type { WhatIf, WhatIfTerms } from './what-if/what-if-ports.ts';

/** What operators see and do of policies: models, experiments and what-ifs. */
export interface PolicyApi {
  /** Models of the learned policy, and how their last trainings stand. */
  listModels(): Promise<ModelsView>;
  /** Trains a merchant's own model, or that of all merchants, in the background. */
  trainModel(merchantId?: string): Promise<void>;
  /** Makes a model the active one of its scope. False where it is not there. */
  activateModel(modelId: string): Promise<boolean>;
  /** How the traffic of merchants on the learned policy is split, and what each part brought. */
  listExperiments(query: ExperimentsQuery): Promise<readonly ExperimentView[]>;
  /** A merchant's what-ifs, with their results. */
  listWhatIfs(merchantId: string): Promise<readonly WhatIf[]>;
  /** Tests a policy on the merchant's own charges, in the background. */
  requestWhatIf(input: WhatIfInput): Promise<WhatIf | undefined>;
}

export type WhatIfInput = Omit<WhatIfTerms, 'fixedDays'> & { readonly merchantId: string };

export interface ModelsView {
  readonly models: readonly ModelView[];
  readonly trainings: readonly TrainingView[];
}
