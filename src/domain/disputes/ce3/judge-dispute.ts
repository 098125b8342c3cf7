import { pspFacts } from '../../psps.ts';
import { choosePriors, lacks } from './choose-priors.ts';
import { elementLabels } from './elements.ts';
import { type PriorRuleSet, priorRuleSets, visaCe3 } from './rule-sets.ts';
import { countElements, hasAnchor, namesOf } from './shared-elements.ts';
import { siftPriors } from './sift-priors.ts';
import type { DisputedTransaction, PriorTransaction } from './transactions.ts';
import { refusalMessage, usableElements } from './usable-elements.ts';
import { type JudgedRule, type RuleId, type RuleResult, ruleIds, type Verdict } from './verdict.ts';

export interface DisputeCase {
  readonly disputed: DisputedTransaction;
  /** Charges that may be priors; what does not qualify is sifted out. */
  readonly candidates: readonly PriorTransaction[];
}

/** The rule set of a dispute's network: Visa's, where the network has none, which it then fails. */
export function ruleSetFor(disputed: DisputedTransaction): PriorRuleSet {
  return priorRuleSets.find(({ network }) => network === disputed.reason.network) ?? visaCe3;
}

/** Whether a dispute meets a network's test of prior charges, by which two, and what it lacks. */
export function judgeDispute(ruleSet: PriorRuleSet, input: DisputeCase): Verdict {
  const { disputed, candidates } = input;
  const { left, rules: sifted } = siftPriors(ruleSet, disputed, candidates);
  const { values, refused } = usableElements(disputed, disputed.psp);
  const chosen = choosePriors({ ruleSet, disputed, values, priors: left });
  const matching = countElements(chosen.bits);
  const rules = [
    reasonRule(ruleSet, disputed),
    goodsRule(disputed),
    ...withDescriptors(sifted, disputed, chosen.priors),
    ...elementRules({
      ruleSet,
      matching,
      refusals: refusalMessage(refused),
      hasPriors: chosen.priors.length >= ruleSet.minPriors,
    }),
    descriptionRule(disputed, chosen.priors),
    referenceRule(disputed, chosen.priors),
  ].sort((a, b) => ruleIds.indexOf(a.id) - ruleIds.indexOf(b.id));
  const { id, version, words, unconfirmed } = ruleSet;
  return {
    ruleSet: { id, version, words, unconfirmed },
    eligible: rules.every(({ result }) => result === 'pass'),
    elementSet: pspFacts[disputed.psp].elements.elements,
    matching,
    matchingNames: namesOf(chosen.bits),
    priors: chosen.priors,
    rules,
  };
}

function reasonRule(ruleSet: PriorRuleSet, { reason }: DisputedTransaction): JudgedRule {
  const holds = reason.network === ruleSet.network && ruleSet.reasonCodes.includes(reason.code);
  return judged('network_reason', {
    words: `Network ${ruleSet.network}, reason ${ruleSet.reasonCodes.join(' or ')}`,
    result: holds ? 'pass' : 'fail',
    detail: `${reason.network} ${reason.code}`,
    fix: 'Nothing: the test is not for this reason. Answer with ordinary evidence.',
  });
}

function goodsRule({ psp, merchandiseOrServices }: DisputedTransaction): JudgedRule {
  const isWanted = pspFacts[psp].elements.wantsKindOfGoods;
  return judged('kind_of_goods', {
    words: isWanted ? 'It is said whether goods or services were sold' : 'Not asked for here',
    result: isWanted && merchandiseOrServices === undefined ? 'missing' : 'pass',
    detail: merchandiseOrServices ?? 'not said',
    fix: 'Say whether merchandise or services were sold.',
  });
}

/** A descriptor that nobody knows is a gap only where the PSP asks for it; nowhere is it said to be equal. */
function withDescriptors(
  sifted: readonly JudgedRule[],
  disputed: DisputedTransaction,
  priors: readonly PriorTransaction[],
): readonly JudgedRule[] {
  const unknown = [disputed, ...priors].filter(({ descriptor }) => lacks(descriptor));
  if (unknown.length === 0) return sifted;
  const detail = `unknown of ${idsOf(unknown)}`;
  const isWanted = pspFacts[disputed.psp].elements.wantsDescriptor;
  return sifted.map((rule) =>
    rule.id === 'descriptor' && rule.result === 'pass'
      ? judged('descriptor', {
          words: rule.words,
          result: isWanted ? 'missing' : 'pass',
          detail: isWanted ? detail : `not compared: ${detail}`,
          fix: 'Add the statement descriptor of these charges.',
        })
      : rule,
  );
}

function elementRules(input: {
  ruleSet: PriorRuleSet;
  matching: Verdict['matching'];
  refusals: string;
  hasPriors: boolean;
}): readonly JudgedRule[] {
  const { ruleSet, matching, refusals, hasPriors } = input;
  const short: RuleResult = hasPriors ? 'fail' : 'missing';
  const equal = matching.map((name) => elementLabels[name]).join(', ') || 'none';
  const detail = refusals === '' ? `equal: ${equal}` : `equal: ${equal}. Not counted: ${refusals}`;
  return [
    judged('two_elements', {
      words: `At least ${ruleSet.minElements} elements are equal over all charges`,
      result: hasPriors && matching.length >= ruleSet.minElements ? 'pass' : short,
      detail,
      fix: hasPriors
        ? 'Add elements to these charges that were captured and are the same on all of them.'
        : 'Find two priors first.',
    }),
    judged('ip_or_device', {
      words: 'One of them is the IP address or the device',
      result: hasPriors && hasAnchor(matching) ? 'pass' : short,
      detail,
      fix: hasPriors
        ? 'Add the public IP address, the device id or its fingerprint to each of these charges.'
        : 'Find two priors first.',
    }),
  ];
}

function descriptionRule(
  disputed: DisputedTransaction,
  priors: readonly PriorTransaction[],
): JudgedRule {
  const bare = [disputed, ...priors].filter((item) => lacks(item.productDescription));
  return judged('product_descriptions', {
    words: 'The product of the disputed charge and of each prior is described',
    result: bare.length === 0 ? 'pass' : 'missing',
    detail: bare.length === 0 ? 'all described' : `missing for ${idsOf(bare)}`,
    fix: 'Describe what was sold with these charges.',
  });
}

function referenceRule(
  { psp }: DisputedTransaction,
  priors: readonly PriorTransaction[],
): JudgedRule {
  const isWanted = pspFacts[psp].elements.wantsReferences;
  const bare = isWanted ? priors.filter(({ arn }) => lacks(arn)) : [];
  return judged('prior_references', {
    words: isWanted ? 'ARN, date and amount of each prior are known' : 'The PSP knows the priors',
    ...(priors.length === 0
      ? { result: 'missing', detail: 'no priors', fix: 'Find two priors first.' }
      : {
          result: bare.length === 0 ? 'pass' : 'missing',
          detail: bare.length === 0 ? 'nothing missing' : `no ARN for ${idsOf(bare)}`,
          fix: 'Add the acquirer reference numbers of these priors.',
        }),
  });
}

function judged(id: RuleId, rule: Omit<JudgedRule, 'id'> & { readonly fix: string }): JudgedRule {
  const { words, result, detail, fix } = rule;
  return result === 'pass' ? { id, words, result, detail } : { id, words, result, detail, fix };
}

function idsOf(transactions: readonly { readonly id: string }[]): string {
  return transactions.map(({ id }) => id).join(', ');
}
