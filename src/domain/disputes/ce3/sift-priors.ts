import { pspFacts } from '../../psps.ts';
import { utcDaysBetween } from '../normalise/utc-days.ts';
import { descriptorPrefix, type PriorRuleSet } from './rule-sets.ts';
import type { DisputedTransaction, EvidenceTransaction, PriorTransaction } from './transactions.ts';
import type { JudgedRule, RuleId } from './verdict.ts';

interface Sieve {
  readonly id: RuleId;
  readonly words: string;
  readonly keeps: (prior: PriorTransaction) => boolean;
  readonly fix: string;
  /** What speaks against a prior that is taken away. */
  readonly objection?: (prior: PriorTransaction) => string;
}

/**
 * Takes away what cannot be a prior of this dispute, rule by rule. A rule fails where it leaves too
 * few: what it took from plenty is no fault, and one that nothing was left for has nothing to say. What is left stands newest first, each id once.
 */
export function siftPriors(
  ruleSet: PriorRuleSet,
  disputed: DisputedTransaction,
  candidates: readonly PriorTransaction[],
): { readonly left: readonly PriorTransaction[]; readonly rules: readonly JudgedRule[] } {
  const rules: JudgedRule[] = [];
  let left = newestFirst(candidates.filter(({ id }) => id !== disputed.id));
  for (const sieve of sievesOf(ruleSet, disputed)) {
    const kept = left.filter(sieve.keeps);
    rules.push(judge(ruleSet, sieve, left, kept));
    left = kept;
  }
  return { left, rules };
}

/** Newest first, then by id; a charge that is named twice is one. */
function newestFirst<Item extends EvidenceTransaction>(
  transactions: readonly Item[],
): readonly Item[] {
  const sorted = [...transactions].sort(
    (a, b) =>
      b.processedAt.getTime() - a.processedAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  const seen = new Set<string>();
  return sorted.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Whether a charge can ever be a prior: paid, and never doubted. */
function isInGoodStanding(prior: PriorTransaction): boolean {
  return prior.isPaid && !prior.isDisputed && !prior.hasFraudReport && !prior.isValidation;
}

/** How many priors that were taken away a detail names. */
const namedObjections = 3;

function judge(
  ruleSet: PriorRuleSet,
  sieve: Sieve,
  before: readonly PriorTransaction[],
  kept: readonly PriorTransaction[],
): JudgedRule {
  const { id, words, fix, objection } = sieve;
  const isFirst = id === 'prior_count';
  if (!isFirst && before.length === 0) {
    const detail = 'no earlier charge is left to look at';
    return { id, words, result: 'missing', detail, fix: 'Find two priors first.' };
  }
  const taken = before.filter((prior) => !kept.includes(prior)).slice(0, namedObjections);
  const objections = objection ? taken.map((prior) => `; ${prior.id}: ${objection(prior)}`) : [];
  const count = isFirst ? `${kept.length} there` : `${kept.length} of ${before.length} hold`;
  const detail = `${count}${objections.join('')}`;
  const fails = kept.length < ruleSet.minPriors && (isFirst || kept.length < before.length);
  return fails ? { id, words, result: 'fail', detail, fix } : { id, words, result: 'pass', detail };
}

function sievesOf(ruleSet: PriorRuleSet, disputed: DisputedTransaction): readonly Sieve[] {
  const { minDays, maxDays, minPriors } = ruleSet;
  const set = pspFacts[disputed.psp].elements;
  return [
    {
      id: 'prior_count',
      words: `At least ${minPriors} earlier charges of the same credential`,
      keeps: (prior) => prior.credential === disputed.credential,
      fix: 'Name earlier charges of the same card or token.',
    },
    {
      id: 'prior_standing',
      words: 'Priors are paid, undisputed, without a fraud report, and no validation charges',
      keeps: isInGoodStanding,
      objection: standingObjection,
      fix: 'Name other charges: a dispute or fraud report on a prior cannot be mended.',
    },
    {
      id: 'prior_psp',
      words: set.ownPriorsOnly
        ? 'The PSP processed the priors itself'
        : 'Any PSP may have processed',
      keeps: (prior) => !set.ownPriorsOnly || prior.psp === disputed.psp,
      fix: 'Name charges of this PSP: it looks the priors up itself.',
    },
    {
      id: 'prior_window',
      words: `Priors are ${minDays} to ${maxDays} days before the charge and before the dispute`,
      keeps: (prior) =>
        daysBefore(prior, disputed).every((days) => days >= minDays && days <= maxDays),
      objection: (prior) => {
        const [charge, dispute] = daysBefore(prior, disputed);
        return `${charge} days before the charge, ${dispute} before the dispute`;
      },
      fix: 'Name charges within the window; days are counted by the UTC calendar.',
    },
    {
      id: 'descriptor',
      words: `The first ${descriptorPrefix} characters of the statement descriptor are the same`,
      keeps: (prior) => {
        const [own, other] = [prefixOf(prior), prefixOf(disputed)];
        return own === undefined || other === undefined || own === other;
      },
      fix: 'Name charges with the same descriptor.',
    },
  ];
}

function daysBefore(
  prior: PriorTransaction,
  { processedAt, disputedAt }: DisputedTransaction,
): readonly [charge: number, dispute: number] {
  const days = (anchor: Date) => utcDaysBetween(prior.processedAt, anchor);
  return [days(processedAt), days(disputedAt)];
}

function standingObjection(prior: PriorTransaction): string {
  if (!prior.isPaid) return 'not paid';
  if (prior.isDisputed) return 'disputed';
  return prior.hasFraudReport ? 'reported as fraud' : 'a validation charge';
}

function prefixOf({ descriptor }: EvidenceTransaction): string | undefined {
  const prefix = descriptor?.trim().slice(0, descriptorPrefix).toUpperCase();
  return prefix === '' ? undefined : prefix;
}
