import { Type } from 'typebox';
import { microsPerMajor } from '../../domain/network-rules/network-fee.ts';
import { rulePackVersion } from '../../domain/network-rules/rule-pack.ts';
import { networkRules } from '../../domain/network-rules/rules.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { sumNetworkFees } from '../../store/reports/sum-network-fees.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';

const query = Type.Object(
  {
    from: Type.Optional(timeField('Of charges at this time or later. Without it: from the first.')),
    to: Type.Optional(timeField('Of charges before this time. Without it: to the last.')),
  },
  { additionalProperties: false },
);

const totalShape = Type.Object(
  {
    network: Type.String({ description: 'Such as visa.' }),
    rule: Type.String({
      description: 'The rule that it is charged under; see docs/network-rules.md.',
    }),
    meaning: Type.Optional(
      Type.String({ description: 'What the rule says; absent for a rule that no longer exists.' }),
    ),
    currency: Type.String(),
    expected: Type.Number({
      description: "For charges that were made, Recoup's own and reported ones.",
    }),
    expected_count: Type.Integer({ minimum: 0 }),
    avoided: Type.Number({ description: 'For charges that the rule prevented.' }),
    avoided_count: Type.Integer({ minimum: 0 }),
  },
  { title: 'FeeTotal' },
);

export const feesShape = Type.Object(
  {
    rule_pack_version: Type.String({ description: 'The edition of the rules.' }),
    items: Type.Array(totalShape),
  },
  {
    description: 'One item for each network, rule and currency that has any.',
    examples: [
      {
        rule_pack_version: rulePackVersion,
        items: [
          {
            network: 'visa',
            rule: 'visa.category_1',
            meaning: networkRules['visa.category_1'].words,
            currency: 'USD',
            expected: 0.1,
            expected_count: 1,
            avoided: 0.4,
            avoided_count: 4,
          },
        ],
      },
    ],
  },
);

/** GET /api/merchants/{id}/fees */
export const listFees = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/fees',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listFees',
    tag: 'Limits',
    summary: 'Sum the fees of the card networks',
    description:
      'What the networks are expected to charge for attempts, and what was avoided. These are ' +
      'estimates from published figures: acquirers add their own fees and bill the total.',
  },
  schema: { path: merchantPath, query },
  answers: { 200: feesShape, ...refusals(400, 404) },
  async answer({ path, query }, { reports: db }: Pick<OperatorDeps, 'reports'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const { from, to } = query;
    const totals = await sumNetworkFees(db, {
      merchantId,
      ...present({
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
      }),
    });
    return contentAnswer({
      rule_pack_version: rulePackVersion,
      items: totals.map((total) => ({
        network: total.network,
        rule: total.rule,
        ...present({ meaning: wordsOf(total.rule) }),
        currency: total.currency,
        expected: total.expectedMicros / microsPerMajor,
        expected_count: total.expectedCount,
        avoided: total.avoidedMicros / microsPerMajor,
        avoided_count: total.avoidedCount,
      })),
    });
  },
});

function wordsOf(rule: string): string | undefined {
  return Object.entries(networkRules).find(([id]) => id === rule)?.[1].words;
}
