import { normaliseReason } from '../normalise/normalise-reason.ts';
import { priorRuleSets } from './rule-sets.ts';
import type { DisputeReason } from './transactions.ts';

export const applicabilities = ['yes', 'no', 'unknown'] as const;
/** Whether a network has a test of prior charges for a reason; `unknown` where the reason is. */
export type Applicability = (typeof applicabilities)[number];

/** A test is for some reasons alone: with any other its rules say nothing of the dispute. */
export function appliesTo({ network, code, family }: DisputeReason): Applicability {
  const ruleSet = priorRuleSets.find((each) => each.network === network);
  if (ruleSet?.reasonCodes.includes(code)) return 'yes';
  // All these reasons are of fraud.
  if (family !== 'unknown' && family !== 'fraud') return 'no';
  if (network === 'unknown') return 'unknown';
  if (ruleSet === undefined) return 'no';
  // A word of a PSP, such as `fraudulent`, may stand for any reason of the network.
  return normaliseReason(ruleSet.network, code) === undefined ? 'unknown' : 'no';
}
