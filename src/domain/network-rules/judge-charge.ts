import { laterOf } from '../clock.ts';
import { present } from '../present.ts';
import type { CardAttempt, ProposedCharge } from './card-attempt.ts';
import { achReasons, sepaReasons } from './debit-reason.ts';
import { indiaBlocks } from './india.ts';
import { mastercardBlocks } from './mastercard.ts';
import type { NetworkFee } from './network-fee.ts';
import {
  debitBlocks,
  eloBlocks,
  frequencyBlocks,
  maxAchRetries,
  maxSepaRetries,
  unknownBlocks,
} from './other-networks.ts';
import { ruleSources } from './rule-sources.ts';
import type { RuledNetwork } from './ruled-network.ts';
import { networkRules, type RuleId } from './rules.ts';
import { visaBlocks, visaExpectedFees } from './visa.ts';
import type { Block } from './windows.ts';

/** A rule as it is told to people, with where it comes from. */
export interface ToldRule {
  readonly id: RuleId;
  readonly words: string;
  readonly source: string;
  readonly network: RuledNetwork;
}

/** `until`: when the charge would be allowed; undefined: never, for this card. */
export type Judgement =
  | { readonly kind: 'allowed'; readonly expectedFees: readonly NetworkFee[] }
  | {
      readonly kind: 'blocked';
      readonly rule: ToldRule;
      readonly until?: Date;
      readonly feesAvoided: readonly NetworkFee[];
    };

export type Blocked = Extract<Judgement, { kind: 'blocked' }>;

type Judge = (attempts: readonly CardAttempt[], proposed: ProposedCharge) => readonly Block[];

const judges: Readonly<Record<RuledNetwork, Judge>> = {
  visa: visaBlocks,
  mastercard: mastercardBlocks,
  amex: frequencyBlocks({ day: 'amex.attempts_24h', month: 'amex.attempts_30d' }),
  discover: frequencyBlocks({ day: 'discover.attempts_24h', month: 'discover.attempts_30d' }),
  elo: eloBlocks,
  sepa_debit: debitBlocks({
    reason: 'sepa.reason',
    retries: 'sepa.retries',
    reasons: sepaReasons,
    max: maxSepaRetries,
  }),
  ach: debitBlocks({
    reason: 'ach.reason',
    retries: 'ach.retries',
    reasons: achReasons,
    max: maxAchRetries,
  }),
  unknown: unknownBlocks,
};

/**
 * Whether a card may be charged at a time, by the rules of its network over the card's history at
 * one acceptor. `history` is in any order and may hold what is dated after the charge. Pure: the same
 * input gives the same judgement.
 */
export function judgeCharge(history: readonly CardAttempt[], proposed: ProposedCharge): Judgement {
  const binding = bindingBlock(history, proposed);
  if (binding === undefined) {
    const isVisa = proposed.network === 'visa';
    return { kind: 'allowed', expectedFees: isVisa ? visaExpectedFees(history, proposed) : [] };
  }
  const { words, source } = networkRules[binding.rule];
  const until = binding.until === undefined ? undefined : allowedFrom(history, proposed);
  return {
    kind: 'blocked',
    rule: { id: binding.rule, words, source: ruleSources[source], network: proposed.network },
    feesAvoided: binding.fees ?? [],
    ...present({ until }),
  };
}

/** More steps from one rule's end to the next one's than any history leads to. */
const maxSteps = 1_000;

/** The first time from the charge's own on at which no rule has anything against it. */
function allowedFrom(history: readonly CardAttempt[], proposed: ProposedCharge): Date | undefined {
  let { at } = proposed;
  for (let step = 0; step < maxSteps; step += 1) {
    const block = bindingBlock(history, { ...proposed, at });
    if (block === undefined) return at;
    if (block.until === undefined) return undefined;
    at = laterOf(at, block.until);
  }
  return undefined;
}

/** Of all that is against the charge, what lasts longest. */
function bindingBlock(
  history: readonly CardAttempt[],
  proposed: ProposedCharge,
): Block | undefined {
  const blocks = [
    ...judges[proposed.network](history, proposed),
    ...indiaBlocks(history, proposed),
  ];
  const forever = blocks.find(({ until }) => until === undefined);
  if (forever !== undefined) return forever;
  return blocks.reduce<Block | undefined>((longest, block) => {
    const [a, b] = [longest?.until?.getTime() ?? 0, block.until?.getTime() ?? 0];
    return b > a ? block : longest;
  }, undefined);
}
