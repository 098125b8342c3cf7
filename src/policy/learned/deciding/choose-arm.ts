import type { Arm } from '../../plan.ts';
import { unitOf } from '../hash.ts';
import type { LearnedPolicy } from '../learned-policy.ts';
import { rounded } from '../rounded.ts';

/** Who plans the next try of a payment: the schedule, and why, or the model. */
export type ArmChoice =
  | ({ readonly kind: 'schedule' } & ScheduleArm)
  | {
      readonly kind: 'model';
      /** Whether this decision takes a time by chance. */
      readonly explores: boolean;
      /** While the model plans nothing: what plans where no time can be drawn. */
      readonly otherwise?: ScheduleArm & { readonly arm: 'holdout' };
    };

export interface ScheduleArm {
  readonly arm: Extract<Arm, 'holdout' | 'fallback'>;
  readonly because: string;
  /** The chance with which the policy decided so. */
  readonly propensity: number;
}

type Shares = Pick<
  LearnedPolicy,
  'distrust' | 'holdoutShare' | 'learnedShare' | 'exploreShare' | 'salt'
>;

/**
 * By the payment's hash, so that a payment keeps its part through all its tries; exploration is drawn
 * anew for each try. The first places are held out for ever, the last ones until the model has
 * earned them: a payment that the model planned once stays with it as its share grows.
 */
export function chooseArm(
  shares: Shares,
  { paymentId, triesMade }: { readonly paymentId: string; readonly triesMade: number },
): ArmChoice {
  const { distrust, holdoutShare, learnedShare, exploreShare, salt } = shares;
  if (distrust !== undefined) {
    return { kind: 'schedule', arm: 'fallback', because: distrust, propensity: 1 };
  }
  const place = unitOf(paymentId, `${salt}/holdout`);
  const explores = unitOf(`${paymentId}/${triesMade}`, `${salt}/explore`) < exploreShare;
  if (place >= Math.max(holdoutShare, 1 - learnedShare)) return { kind: 'model', explores };
  if (place < holdoutShare) {
    const because = 'the payment is held out to compare with';
    return { kind: 'schedule', arm: 'holdout', because, propensity: 1 };
  }
  // While the model plans nothing, times by chance are of the payments that it will plan first.
  const mayExplore = learnedShare === 0;
  const because = `the learned policy plans ${Math.round(learnedShare * 100)} % of the payments so far`;
  if (mayExplore && explores) {
    return { kind: 'model', explores, otherwise: { arm: 'holdout', because, propensity: 1 } };
  }
  const propensity = mayExplore ? rounded(1 - exploreShare) : 1;
  return { kind: 'schedule', arm: 'holdout', because, propensity };
}
