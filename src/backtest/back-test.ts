import { type Decision, decisionsOf, planInputOf, type Terms } from './decisions.ts';
import { type EpisodeCounts, findEpisodes } from './episodes.ts';
import type { History } from './history.ts';
import { failedMoney } from './judge-money.ts';
import { judgePolicy, type PolicyVerdict, type ShareOf, shareOf } from './judge-policy.ts';
import { readLogging } from './logging.ts';
import { fitOutcomes } from './outcome-model.ts';
import type { BacktestPolicy } from './policies.ts';

export interface BackTestInput {
  readonly history: History;
  readonly policies: readonly BacktestPolicy[];
  readonly terms: readonly Terms[];
  /** A logged try this near to a policy's time is taken for its own. */
  readonly toleranceHours: number;
  /** More decisions than this are sampled by payer. */
  readonly maxDecisions: number;
  readonly seed: number;
  progress?(done: number, total: number): void;
}

export interface BackTest {
  readonly counts: EpisodeCounts;
  readonly runs: readonly BackTestRun[];
}

/** One window and number of tries. */
export interface BackTestRun {
  readonly windowDays: number;
  readonly maxAttempts: number;
  readonly propensities: 'logged' | 'estimated';
  /** Decisions of the log under these terms. */
  readonly decisions: number;
  /** Share of the payers whose decisions were put to the policies. */
  readonly sampledShare: number;
  /** The tries that the log made. */
  readonly logged: ShareOf;
  readonly policies: readonly PolicyVerdict[];
}

/** A policy that takes long is asked so many times fewer decisions. */
const slowness = 8;

/** Puts every policy to the decisions that a merchant's history met. */
export function backTest(input: BackTestInput): BackTest {
  const { history, policies, terms, progress } = input;
  const { episodes, counts } = findEpisodes(history);
  const failed = failedMoney(history, episodes);
  const total = terms.length * policies.length;
  let done = 0;
  const runs = terms.map((term): BackTestRun => {
    const all = episodes.flatMap((episode) => decisionsOf(history, episode, term));
    const logging = readLogging(history, all);
    // Tries that were certain, as of a card that was just replaced, say nothing of other times.
    const chosenByChance = all.filter((decision) => logging.propensity(decision) !== undefined);
    const outcomes = fitOutcomes(history, chosenByChance);
    // Above 1 where all decisions are fewer than may be asked: a slow policy gets them all too.
    const room = input.maxDecisions / Math.max(1, all.length);
    const verdicts = policies.map((policy) => {
      const max = policy.isSlow === true ? room / slowness : room;
      const isAsked = (customer: number) =>
        sampleUnit(customer) < max && policy.judges?.(customer) !== false;
      const decisions = all.filter(({ episode }) => isAsked(episode.customer));
      const chosenMs = choose(history, policy, decisions, term);
      const { toleranceHours, seed } = input;
      const common = { history, terms: term, toleranceHours, seed, logging, outcomes, failed };
      const verdict = judgePolicy({ ...common, policy: policy.name, decisions, chosenMs });
      done += 1;
      progress?.(done, total);
      return verdict;
    });
    const tried = all.filter(({ nextRow }) => nextRow !== undefined);
    return {
      ...term,
      propensities: logging.kind,
      decisions: all.length,
      sampledShare: Math.min(1, room),
      logged: shareOf(history, tried, input.seed),
      policies: verdicts,
    };
  });
  return { counts, runs };
}

function choose(
  history: History,
  policy: BacktestPolicy,
  decisions: readonly Decision[],
  terms: Terms,
): Float64Array {
  return Float64Array.from(decisions, (decision) => {
    const plan = planInputOf(history, decision, terms);
    const offsetMinutes = history.offsets[decision.lastRow] ?? 0;
    return policy.nextTryMs({ plan, decision, terms, offsetMinutes }) ?? Number.NaN;
  });
}

/** A number from 0 to 1 of a payer: numbers in the order of coming are spread by a mixing step. */
export function sampleUnit(customer: number): number {
  let bits = Math.imul(customer + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 32;
}
