import { Type } from 'typebox';
import type { PacketContent } from '../../../disputes/evidence/packet.ts';
import { applicabilities, appliesTo } from '../../../domain/disputes/ce3/applies-to.ts';
import { ruleIds } from '../../../domain/disputes/ce3/verdict.ts';
import { enumField } from '../../fields.ts';

/** Whether a dispute meets its network's test of earlier charges. */
export const verdictShape = Type.Object(
  {
    rule_set: Type.Object(
      {
        id: Type.String(),
        version: Type.String(),
        words: Type.String(),
        unconfirmed: Type.Boolean({
          description: 'Whether no text of the network confirms the figures: a guide, no promise.',
        }),
      },
      { title: 'RuleSet' },
    ),
    applies: enumField(
      applicabilities,
      "Whether the test is for the dispute's reason; with `no`, or while the reason is not known, the rules say nothing of the dispute.",
    ),
    eligible: Type.Boolean({ description: 'Whether every rule passes. The bank still decides.' }),
    element_set: Type.Array(Type.String(), { description: 'What counts at the PSP.' }),
    matching: Type.Array(Type.String(), { description: 'What is equal over all charges.' }),
    prior_charges: Type.Array(Type.String(), { description: 'The earlier charges chosen.' }),
    rules: Type.Array(
      Type.Object(
        {
          id: enumField(ruleIds, 'Which rule.'),
          words: Type.String({ description: 'What it asks.' }),
          result: enumField(['pass', 'fail', 'missing'], '`missing`: something has to be added.'),
          detail: Type.String({ description: 'What was found; never a value of the customer.' }),
          fix: Type.Optional(Type.String({ description: 'What would make it pass.' })),
        },
        { title: 'Rule' },
      ),
    ),
  },
  {
    title: 'Verdict',
    description: 'Judged again at each call; absent where the amount in dispute is not known.',
  },
);

export const verdictExample = {
  rule_set: {
    id: 'visa_ce3',
    version: '2026.11.2',
    words: 'Visa Compelling Evidence 3.0',
    unconfirmed: false,
  },
  applies: 'yes' as const,
  eligible: false,
  element_set: ['ip', 'device', 'shipping_address', 'login', 'email'],
  matching: ['ip', 'email'],
  prior_charges: ['ch_0990', 'ch_0980'],
  rules: [
    {
      id: 'kind_of_goods' as const,
      words: 'It is said whether goods or services were sold',
      result: 'missing' as const,
      detail: 'not said',
      fix: 'Say whether merchandise or services were sold.',
    },
  ],
};

export function verdictJson(content: PacketContent): Type.Static<typeof verdictShape> {
  const { verdict, priors, dispute } = content;
  const { id, version, words, unconfirmed } = verdict.ruleSet;
  return {
    rule_set: { id, version, words, unconfirmed },
    applies: appliesTo(dispute.reason),
    eligible: verdict.eligible,
    element_set: [...verdict.elementSet],
    matching: [...verdict.matching],
    prior_charges: priors.map((prior) => prior.id),
    rules: verdict.rules.map((rule) => ({ ...rule })),
  };
}
