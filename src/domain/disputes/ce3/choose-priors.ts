import { pspFacts } from '../../psps.ts';
import type { ElementName } from './elements.ts';
import type { PriorRuleSet } from './rule-sets.ts';
import { countElements, type ElementBits, hasAnchor, sharedElements } from './shared-elements.ts';
import type { DisputedTransaction, PriorTransaction } from './transactions.ts';

interface Ranked {
  readonly prior: PriorTransaction;
  readonly bits: ElementBits;
  readonly gaps: number;
}

/**
 * The best two priors: first those that share enough with the disputed charge, then those with the
 * fewest gaps to fill, then those that share most, then the newest. The one prior where there is one.
 * `priors` stand newest first. Only the two newest of each kind can be among the best, so that a long
 * history costs no more than a short one.
 */
export function choosePriors(input: {
  ruleSet: PriorRuleSet;
  disputed: DisputedTransaction;
  values: ReadonlyMap<ElementName, string>;
  priors: readonly PriorTransaction[];
}): { readonly priors: readonly PriorTransaction[]; readonly bits: ElementBits } {
  const { ruleSet, disputed, values } = input;
  const ranked = newestOfEachKind(
    input.priors.map((prior) => ({
      prior,
      bits: sharedElements(values, prior, disputed.psp),
      gaps: gapsOf(prior, disputed),
    })),
  );
  let best: { first: Ranked; second: Ranked; rank: readonly number[] } | undefined;
  for (const [index, first] of ranked.entries()) {
    for (const second of ranked.slice(index + 1)) {
      const rank = rankOf(ruleSet, first, second);
      if (best === undefined || isGreater(rank, best.rank)) best = { first, second, rank };
    }
  }
  if (best === undefined) {
    const only = ranked[0];
    return only ? { priors: [only.prior], bits: only.bits } : { priors: [], bits: 0 };
  }
  const { first, second } = best;
  return { priors: [first.prior, second.prior], bits: first.bits & second.bits };
}

function rankOf(ruleSet: PriorRuleSet, first: Ranked, second: Ranked): readonly number[] {
  const shared = countElements(first.bits & second.bits);
  const suffices = shared.length >= ruleSet.minElements && hasAnchor(shared);
  return [suffices ? 1 : 0, -(first.gaps + second.gaps), shared.length];
}

/** Equal ranks leave the pair that was met first: the newest. */
function isGreater(rank: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of rank.entries()) {
    const difference = value - (other[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function newestOfEachKind(ranked: readonly Ranked[]): readonly Ranked[] {
  const seen = new Map<string, number>();
  return ranked.filter(({ bits, gaps }) => {
    const kind = `${bits}/${gaps}`;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count <= 2;
  });
}

/** How many things the merchant would have to add to a prior at this PSP. */
function gapsOf(prior: PriorTransaction, disputed: DisputedTransaction): number {
  const { wantsReferences, wantsDescriptor } = pspFacts[disputed.psp].elements;
  return [
    lacks(prior.productDescription),
    wantsReferences && lacks(prior.arn),
    wantsDescriptor && lacks(prior.descriptor),
  ].filter(Boolean).length;
}

/** Whether a text that evidence needs is not there. */
export function lacks(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}
