import type { WhatIf, WhatIfTerms } from './what-if/what-if-ports.ts';

/** What operators do about policies: models and what-ifs. */
export interface PolicyApi {
  /** Trains a merchant's own model, or that of all merchants, in the background. */
  trainModel(merchantId?: string): Promise<void>;
  /** Makes a model the active one of its scope. False where it is not there. */
  activateModel(modelId: string): Promise<boolean>;
  /** Tests a policy on the merchant's own charges, in the background. */
  requestWhatIf(input: WhatIfInput): Promise<WhatIf | undefined>;
}

export type WhatIfInput = Omit<WhatIfTerms, 'fixedDays'> & { readonly merchantId: string };
