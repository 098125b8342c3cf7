import { dayMs, hourMs } from '../domain/clock.ts';
import { present } from '../domain/present.ts';
import { clusterBootstrap, type Estimate } from '../policy/evaluation/cluster-bootstrap.ts';
import { groupClusters } from '../policy/evaluation/group-clusters.ts';
import {
  carries,
  evaluateOffPolicy,
  type LoggedDecisions,
  type OffPolicyEstimate,
  type Refusal,
} from '../policy/evaluation/off-policy.ts';
import { seededUnit } from '../policy/evaluation/seeded-unit.ts';
import type { Decision, Terms } from './decisions.ts';
import type { History } from './history.ts';
import { type FailedMoney, judgeMoney, type MoneyVerdict } from './judge-money.ts';
import { kindsOf } from './kinds.ts';
import type { Logging } from './logging.ts';
import type { OutcomeModel } from './outcome-model.ts';
import { numbered, type Sequences, sequencesOf } from './sequences.ts';

/** A share of tries, with their number; no interval for fewer than 20 payers. */
export interface ShareOf {
  readonly tries: number;
  readonly succeeded: number;
  readonly share?: Estimate;
}

/** What a policy would have done at the logged decisions, and what of its worth can be claimed. */
export interface PolicyVerdict {
  readonly policy: string;
  readonly windowDays: number;
  readonly maxAttempts: number;
  /** Decisions that were put to it. */
  readonly decisions: number;
  readonly wouldTry: number;
  /** Median days from the last decline to the try that it would make. */
  readonly medianDelayDays?: number;
  /** Logged tries near the time that it would have chosen: their outcome is its outcome. */
  readonly replayed: ShareOf;
  /** Logged tries where it would not have tried again. */
  readonly forgone: ShareOf;
  /** The chance that its next try succeeds, from how the log chose times. */
  readonly perDecision: OffPolicyEstimate | Refusal;
  /** Hours over which its choice was spread for `perDecision`. */
  readonly blurHours: number;
  /** The chance that it recovers a payment: weak, since a payment's choices multiply. */
  readonly wholeSequence: OffPolicyEstimate | Refusal;
  /** The same in money, a currency each. */
  readonly money: readonly MoneyVerdict[];
}

export interface JudgeInput {
  readonly history: History;
  readonly policy: string;
  readonly terms: Terms;
  readonly decisions: readonly Decision[];
  /** The time that the policy chose for each decision; NaN for none. */
  readonly chosenMs: Float64Array;
  readonly logging: Logging;
  readonly outcomes: OutcomeModel;
  readonly failed: readonly FailedMoney[];
  readonly toleranceHours: number;
  readonly seed: number;
}

/** Hours over which a choice may be spread: a wide spread tells more, of a vaguer question. */
const blurs = [0, 3, 12] as const;
/** An effective sample that needs no wider spread. */
const enoughSample = 5_000;

export function judgePolicy(input: JudgeInput): PolicyVerdict {
  const { history, policy, terms, decisions, chosenMs, toleranceHours, failed, seed } = input;
  const near: Decision[] = [];
  const forgone: Decision[] = [];
  const delays: number[] = [];
  decisions.forEach((decision, at) => {
    const chosen = chosenMs[at] ?? Number.NaN;
    const { nextRow, lastRow } = decision;
    if (!Number.isNaN(chosen)) delays.push((chosen - (history.atMs[lastRow] ?? 0)) / dayMs);
    if (nextRow === undefined) return;
    if (Number.isNaN(chosen)) forgone.push(decision);
    const apartMs = Math.abs((history.atMs[nextRow] ?? 0) - chosen);
    if (apartMs <= toleranceHours * hourMs) near.push(decision);
  });
  delays.sort((a, b) => a - b);
  const medianDelayDays = delays[Math.floor(delays.length / 2)];
  const perDecision = bestBlur(input);
  const sequences = sequencesOf(input);
  return {
    policy,
    ...terms,
    decisions: decisions.length,
    wouldTry: delays.length,
    ...present({ medianDelayDays }),
    replayed: shareOf(history, near, seed),
    forgone: shareOf(history, forgone, seed),
    perDecision: perDecision.verdict,
    blurHours: perDecision.blurHours,
    wholeSequence: judgeSequences(sequences, seed),
    money: judgeMoney({ history, sequences, failed, seed }),
  };
}

/** The share of the logged next tries that succeeded. */
export function shareOf(history: History, decisions: readonly Decision[], seed: number): ShareOf {
  const wins = Float64Array.from(decisions, ({ nextRow }) => history.outcomes[nextRow ?? -1] ?? 0);
  const columns = [new Float64Array(decisions.length).fill(1), wins];
  const unit = seededUnit(seed);
  const sums = groupClusters(numbered(decisions), columns, unit);
  const statistics = [(totals: Float64Array) => (totals[1] ?? 0) / (totals[0] ?? 0)];
  const [share] = decisions.length === 0 ? [] : clusterBootstrap({ sums, statistics, unit });
  const succeeded = wins.reduce((sum, win) => sum + win, 0);
  return { tries: decisions.length, succeeded, ...present({ share }) };
}

/** A larger blur must tell more by so much: it answers a vaguer question. */
const clearly = 1.05;

/**
 * The estimate with the narrowest blur that leaves sample enough, else with that of the largest effective sample,
 * of those that the log supports; no reward has a say in it.
 */
function bestBlur(input: JudgeInput): {
  readonly verdict: OffPolicyEstimate | Refusal;
  readonly blurHours: number;
} {
  const { logging, chosenMs, terms } = input;
  const used: Decision[] = [];
  const [propensities, chosen]: [number[], number[]] = [[], []];
  input.decisions.forEach((decision, at) => {
    const propensity = logging.propensity(decision);
    const time = chosenMs[at] ?? Number.NaN;
    if (Number.isNaN(time) || propensity === undefined) return;
    used.push(decision);
    propensities.push(propensity);
    chosen.push(time);
  });
  const tried = blurs.slice(0, logging.kind === 'logged' ? blurs.length : 1).map((blurHours) => {
    const targets = Float64Array.from(used, (decision, at) =>
      logging.target(decision, chosen[at] ?? 0, blurHours, terms),
    );
    return { blurHours, targets, sample: sampleOf(targets, propensities) };
  });
  const { blurHours, targets } = tried.reduce((best, item) =>
    best.sample < enoughSample && item.sample > best.sample * clearly ? item : best,
  );
  const verdict = judgeDecisions(input, { used, propensities, chosen, targets });
  return { verdict, blurHours };
}

/** The effective sample of weights before any is cut; 0 where the log does not support them. */
function sampleOf(targets: Float64Array, propensities: readonly number[]): number {
  let [sum, squares] = [0, 0];
  targets.forEach((target, at) => {
    const weight = target / (propensities[at] ?? 1);
    sum += weight;
    squares += weight ** 2;
  });
  const isSupported = sum >= carries.minSupport * targets.length;
  return squares === 0 || !isSupported ? 0 : sum ** 2 / squares;
}

interface Choices {
  readonly used: readonly Decision[];
  readonly propensities: readonly number[];
  /** When the policy would have tried, in milliseconds. */
  readonly chosen: readonly number[];
  readonly targets: Float64Array;
}

function judgeDecisions(
  { history, outcomes, seed }: JudgeInput,
  { used, propensities, chosen, targets }: Choices,
): OffPolicyEstimate | Refusal {
  const taken = (of: (row: number, decision: Decision) => number) =>
    Float64Array.from(used, (decision) => of(decision.nextRow ?? 0, decision));
  const rows: LoggedDecisions = {
    clusters: numbered(used),
    strata: kindsOf(history, used),
    propensities: Float64Array.from(propensities),
    targets,
    rewards: taken((row) => history.outcomes[row] ?? 0),
    predicted: {
      logged: taken((row, decision) => outcomes.chance(decision, history.atMs[row] ?? 0)),
      target: Float64Array.from(used, (decision, at) => outcomes.chance(decision, chosen[at] ?? 0)),
    },
  };
  return evaluateOffPolicy(rows, seededUnit(seed));
}

function judgeSequences(
  { ends, propensities, targets, recovered }: Sequences,
  seed: number,
): OffPolicyEstimate | Refusal {
  const rows: LoggedDecisions = {
    called: 'payments',
    clusters: numbered(ends),
    propensities,
    targets,
    rewards: recovered,
  };
  return evaluateOffPolicy(rows, seededUnit(seed));
}
