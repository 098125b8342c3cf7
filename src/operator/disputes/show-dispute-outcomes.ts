import { Type } from 'typebox';
import type { DisputeOutcomes } from '../../disputes/report-ports.ts';
import { reasonFamilies } from '../../domain/disputes/normalise/reason-codes.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { countDisputeOutcomes } from '../../store/reports/disputes/dispute-outcomes.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { countField, merchantIdField, refusals } from '../shapes.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    from: Type.Optional(timeField('Of disputes opened at this time or later.')),
    to: Type.Optional(timeField('And before this one.')),
  },
  { additionalProperties: false },
);

export const disputeOutcomesShape = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        merchant_id: merchantIdField,
        network: Type.Optional(Type.String({ description: "The card's network, where known." })),
        reason_family: Type.Optional(enumField(reasonFamilies, 'What the code is about.')),
        reason_code: Type.Optional(Type.String({ description: "The network's code." })),
        disputes: countField('All of them, inquiries and fraud warnings aside.'),
        open: countField('Of them: not decided.'),
        won: countField('Of them: contested and won.'),
        lost: countField('Of them: lost.'),
        accepted: countField('Of them: not contested, by decision.'),
        expired: countField('Of them: not contested in time.'),
        withdrawn: countField('Of them: ended before a chargeback, or were taken back.'),
        win_rate: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Won of won and lost; absent where none is decided.',
          }),
        ),
      }),
    ),
  },
  {
    title: 'DisputeOutcomes',
    description: 'One item for each merchant, network and reason code.',
    examples: [
      {
        items: [
          {
            merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
            network: 'visa',
            reason_family: 'fraud',
            reason_code: '10.4',
            disputes: 40,
            open: 6,
            won: 18,
            lost: 12,
            accepted: 2,
            expired: 1,
            withdrawn: 1,
            win_rate: 0.6,
          },
        ],
      },
    ],
  },
);

/** GET /api/dispute-outcomes */
export const showDisputeOutcomes = defineEndpoint({
  method: 'GET',
  path: '/api/dispute-outcomes',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'showDisputeOutcomes',
    tag: 'Dispute reports',
    summary: 'Show how disputes ended, by network and reason',
    description:
      'Each dispute by where it stands now, with the share of decided ones that was won.',
  },
  schema: { query },
  answers: { 200: disputeOutcomesShape, ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'caller'>) {
    const { from, to } = query;
    const items = await countDisputeOutcomes(context.reports, {
      ...whose(context, query),
      ...present({
        from: from === undefined ? undefined : new Date(from),
        until: to === undefined ? undefined : new Date(to),
      }),
    });
    return contentAnswer({ items: items.map(itemJson) });
  },
});

function itemJson(item: DisputeOutcomes) {
  const { merchantId, reasonFamily, reasonCode, network, won, lost } = item;
  const decided = won + lost;
  return present({
    merchant_id: merchantId,
    network,
    reason_family: reasonFamily,
    reason_code: reasonCode,
    disputes: item.disputes,
    open: item.open,
    won,
    lost,
    accepted: item.accepted,
    expired: item.expired,
    withdrawn: item.withdrawn,
    win_rate: decided === 0 ? undefined : Math.round((won / decided) * 10_000) / 10_000,
  });
}
