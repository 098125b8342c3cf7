import { microsPerMajor } from '../domain/network-rules/network-fee.ts';
import type { Parameters } from './parameters.ts';
import type { Summary } from './summarise.ts';

/** Minor units in a major one of the world's currency, the US dollar. */
const minorPerMajor = 100;

/**
 * What a policy is worth, in minor units: the recovered, less the fees, less what the subscribers are
 * worth who cancelled beyond those that cancel without any retry (`none`, of the same failures).
 */
export function netValueMinor(
  { recoveredMinor, feesMicros, cancelledMinor }: Summary,
  none: Summary,
  { costs }: Parameters,
): number {
  const feesMinor = (feesMicros / microsPerMajor) * minorPerMajor;
  const lostMinor = (cancelledMinor - none.cancelledMinor) * costs.lostSubscriberCharges;
  return Math.round(recoveredMinor - feesMinor - lostMinor);
}
