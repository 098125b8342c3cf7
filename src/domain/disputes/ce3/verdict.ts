import type { CountedElement, ElementName } from './elements.ts';
import type { PriorRuleSet } from './rule-sets.ts';
import type { PriorTransaction } from './transactions.ts';

export const ruleIds = [
  'network_reason',
  'kind_of_goods',
  'prior_count',
  'prior_standing',
  'prior_psp',
  'prior_window',
  'descriptor',
  'two_elements',
  'ip_or_device',
  'product_descriptions',
  'prior_references',
] as const;
export type RuleId = (typeof ruleIds)[number];

/** `missing`: nothing speaks against it, but something has to be added before it holds. */
export type RuleResult = 'pass' | 'fail' | 'missing';

/** One rule's judgement. The words name elements, ids and days, never a customer's values. */
export interface JudgedRule {
  readonly id: RuleId;
  readonly words: string;
  readonly result: RuleResult;
  readonly detail: string;
  /** What would make it pass; absent where it does. */
  readonly fix?: string;
}

export interface Verdict {
  readonly ruleSet: Pick<PriorRuleSet, 'id' | 'version' | 'words' | 'unconfirmed'>;
  /** Eligible is not won: the issuer still decides, and at Stripe the ordinary fields count too. */
  readonly eligible: boolean;
  /** What counts at the PSP of the dispute. */
  readonly elementSet: readonly CountedElement[];
  /** Equal over the disputed charge and all priors that were chosen. */
  readonly matching: readonly CountedElement[];
  /** The same, with a device's id and fingerprint by their own names. */
  readonly matchingNames: readonly ElementName[];
  /** The best two, or the only one there is. */
  readonly priors: readonly PriorTransaction[];
  readonly rules: readonly JudgedRule[];
}
