import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import { defaultShares } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import {
  clusterBootstrap,
  minClusters,
  type Statistic,
} from '../../policy/evaluation/cluster-bootstrap.ts';
import { seededUnit } from '../../policy/evaluation/seeded-unit.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import { rounded } from '../../policy/learned/rounded.ts';
import { type Arm, arms } from '../../policy/plan.ts';
import { allMerchants, type ModelView } from '../learned/model-ports.ts';
import type { Figure } from '../uplift.ts';

/** Of payments that failed at `since` or later. */
export interface ExperimentsQuery extends OfMerchants {
  readonly since?: Date;
}

/** A merchant with the learned policy. */
export interface LearnedMerchant {
  readonly merchantId: string;
  readonly name: string;
  readonly windowDays: number;
  readonly maxAttempts: number;
  readonly fixedDays: readonly number[];
  readonly holdoutShare?: number;
  readonly exploreShare?: number;
  /** Of the payments, planned by the model so far; and why so many. */
  readonly learnedShare: number;
  readonly learnedReason: string;
  /** Segments (products) that have a share of their own. */
  readonly segments: readonly SegmentShare[];
  /** Since when its policy is as it is now. */
  readonly policySince: Date;
}

/** A segment of a merchant's payments whose learned share is its own, and why it is so. */
export interface SegmentShare {
  readonly segment: string;
  readonly learnedShare: number;
  readonly learnedReason: string;
  readonly since: Date;
}

/** What one group of payers brought to an arm. */
export interface ArmGroup {
  readonly merchantId: string;
  readonly arm: Arm;
  /** The number of the group; a payer's payments are all of one. */
  readonly group: number;
  /** None of `explore`: a payment is never of it as a whole. */
  readonly payments: number;
  readonly recovered: number;
  /** That reached a PSP and ended. */
  readonly tries: number;
  readonly succeeded: number;
}

export interface ExperimentArmView {
  readonly arm: Arm;
  /** Of payments for `holdout`, of the other payments' decisions for the others. */
  readonly share?: number;
  readonly payments: number;
  readonly recovered: number;
  readonly recoveredRate?: Figure;
  readonly tries: number;
  readonly succeeded: number;
  readonly successRate?: Figure;
}

/** How a merchant's traffic is split, and what each part brought. */
export interface ExperimentView extends LearnedMerchant {
  /** Of the figures: not before the policy is as it is. */
  readonly from: Date;
  readonly holdoutShare: number;
  readonly exploreShare: number;
  readonly modelId: string;
  /** Whether the model is the merchant's own. */
  readonly isOwnModel: boolean;
  /** Why fixed days are used although the policy is the learned one. */
  readonly fallback?: { readonly message: string; readonly since?: Date };
  readonly arms: readonly ExperimentArmView[];
}

export interface ExperimentDeps {
  listModels(): Promise<readonly ModelView[]>;
  listLearnedMerchants(of: OfMerchants): Promise<readonly LearnedMerchant[]>;
  sumArms(
    asked: readonly { readonly merchantId: string; readonly from: Date }[],
  ): Promise<readonly ArmGroup[]>;
  /** False: it is switched off altogether. */
  readonly learnedPolicy: boolean;
}

/** Why fixed days are used where LEARNED_POLICY says so. */
export const learnedPolicyOff = 'the learned policy is switched off by LEARNED_POLICY';

/** Every merchant on the learned policy with its arms. */
export async function judgeExperiments(
  deps: ExperimentDeps,
  query: ExperimentsQuery,
): Promise<readonly ExperimentView[]> {
  const [merchants, models] = await Promise.all([
    deps.listLearnedMerchants(query),
    deps.listModels(),
  ]);
  const asked = merchants.map(({ merchantId, policySince }) => ({
    merchantId,
    from: query.since !== undefined && query.since > policySince ? query.since : policySince,
  }));
  const groups = asked.length === 0 ? [] : await deps.sumArms(asked);
  const active = models.filter(({ status }) => status === 'active');
  return merchants.map((merchant, at) => {
    const { holdoutShare = defaultShares.holdout, exploreShare = defaultShares.explore } = merchant;
    const own = active.find(({ merchantId }) => merchantId === merchant.merchantId);
    const model = own ?? active.find(({ merchantId }) => merchantId === allMerchants);
    const fallback = fallbackOf(deps, model);
    const ofMerchant = groups.filter(({ merchantId }) => merchantId === merchant.merchantId);
    const scheduled = Math.max(holdoutShare, rounded(1 - merchant.learnedShare));
    const shares = { holdoutShare: scheduled, exploreShare };
    return {
      ...merchant,
      ...shares,
      from: asked[at]?.from ?? merchant.policySince,
      modelId: model?.modelId ?? priorModel.version,
      isOwnModel: own !== undefined,
      ...present({ fallback }),
      arms: armsOf(ofMerchant, shares),
    };
  });
}

function fallbackOf(
  { learnedPolicy }: Pick<ExperimentDeps, 'learnedPolicy'>,
  model: ModelView | undefined,
): ExperimentView['fallback'] {
  if (!learnedPolicy) return { message: learnedPolicyOff };
  if (model?.distrust === undefined) return undefined;
  const { distrust: message, distrustedAt: since } = model;
  return { message, ...present({ since }) };
}

function armsOf(
  groups: readonly ArmGroup[],
  shares: { readonly holdoutShare: number; readonly exploreShare: number },
): readonly ExperimentArmView[] {
  const shareOf = {
    learned: rounded(1 - shares.exploreShare),
    explore: shares.exploreShare,
    holdout: shares.holdoutShare,
    fallback: undefined,
  } as const satisfies Record<Arm, number | undefined>;
  return arms.flatMap((arm): readonly ExperimentArmView[] => {
    const ofArm = groups.filter((group) => group.arm === arm);
    const share = shareOf[arm];
    // A fallback that never was is no arm.
    if (ofArm.length === 0 && share === undefined) return [];
    return [{ arm, ...present({ share }), ...sumsOf(ofArm) }];
  });
}

/** The same payments give the same intervals. */
const seed = 1;

function sumsOf(groups: readonly ArmGroup[]): Omit<ExperimentArmView, 'arm' | 'share'> {
  const column = (of: (group: ArmGroup) => number) => Float64Array.from(groups, of);
  const sums = [
    column(({ payments }) => payments),
    column(({ recovered }) => recovered),
    column(({ tries }) => tries),
    column(({ succeeded }) => succeeded),
  ];
  const [payments = 0, recovered = 0, tries = 0, succeeded = 0] = sums.map((values) =>
    values.reduce((sum, value) => sum + value, 0),
  );
  const [recoveredRate, successRate] = [rateOf(sums, 1, 0), rateOf(sums, 3, 2)];
  return {
    payments,
    recovered,
    tries,
    succeeded,
    ...present({ recoveredRate, successRate }),
  };
}

/** Resampled by groups of payers that have any; without bounds where they are too few. */
function rateOf(sums: readonly Float64Array[], part: number, whole: number): Figure | undefined {
  const there = [...(sums[whole] ?? [])].flatMap((count, at) => (count > 0 ? [at] : []));
  if (there.length === 0) return undefined;
  const used = [part, whole].map((name) => Float64Array.from(there, (at) => sums[name]?.[at] ?? 0));
  const ratio: Statistic = (totals) => (totals[0] ?? 0) / (totals[1] ?? 0);
  const totals = Float64Array.from(used, (values) => values.reduce((sum, value) => sum + value, 0));
  const value = ratio(totals);
  if (there.length < minClusters) return { value };
  const [estimate] = clusterBootstrap({ sums: used, statistics: [ratio], unit: seededUnit(seed) });
  return estimate ?? { value };
}
