import { Type } from 'typebox';
import { type OutcomeSums, sumOutcomes } from '../../disputes/sum-outcomes.ts';
import { leastDecided, likelyShare } from '../../domain/disputes/likely-share.ts';
import { reasonFamilies } from '../../domain/disputes/normalise/reason-codes.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { countDisputeOutcomes } from '../../store/reports/disputes/dispute-outcomes.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { countField, merchantIdField, refusals } from '../shapes.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    from: Type.Optional(timeField('Of disputes opened at this time or later.')),
    to: Type.Optional(timeField('And before this one.')),
  },
  { additionalProperties: false },
);

const rate = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));

const counts = {
  disputes: countField('All of them, without inquiries and fraud warnings.'),
  open: countField('Not decided yet.'),
  won: countField('Contested and won.'),
  lost: countField('Of them: lost.'),
  accepted: countField('Not contested, by decision.'),
  expired: countField('Not contested in time.'),
  withdrawn: countField('Ended before a chargeback, or were withdrawn.'),
  win_rate: rate('Won as a share of won and lost; absent if none is decided.'),
  win_rate_low: rate('Its exact 95 % interval (Clopper and Pearson): from'),
  win_rate_high: rate('and to.'),
};
const network = Type.Optional(Type.String({ description: "The card's network, where known." }));
const reason = {
  network,
  reason_family: Type.Optional(enumField(reasonFamilies, 'What the code is about.')),
  reason_code: Type.Optional(Type.String({ description: "The network's code." })),
};

export const disputeOutcomesShape = Type.Object(
  {
    least_decided: Type.Integer({
      description: 'With fewer decided disputes than this a share says nothing: use the counts.',
    }),
    items: Type.Array(Type.Object({ merchant_id: merchantIdField, ...reason, ...counts })),
    whole: Type.Object(counts, { title: 'OutcomeSums', description: 'All of them together.' }),
    networks: Type.Array(Type.Object({ network, ...counts }), {
      description: 'Of each network, all merchants together.',
    }),
    reasons: Type.Array(Type.Object({ ...reason, ...counts }), {
      description: 'Of each network and reason code, all merchants together.',
    }),
  },
  {
    title: 'DisputeOutcomes',
    description: 'One item for each merchant, network and reason code, and sums of them.',
    examples: [outcomesExample()],
  },
);

function outcomesExample() {
  const of = { disputes: 40, open: 6, won: 18, lost: 12, accepted: 2, expired: 1, withdrawn: 1 };
  const sums = { ...of, win_rate: 0.6, win_rate_low: 0.406, win_rate_high: 0.7734 };
  const visa = { network: 'visa', ...sums };
  const fraud = { network: 'visa', reason_family: 'fraud', reason_code: '10.4', ...sums };
  return {
    least_decided: leastDecided,
    items: [{ merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', ...fraud }],
    whole: sums,
    networks: [visa],
    reasons: [fraud],
  };
}

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
      'Each dispute by its current state, with the share of decided ones that was won and its interval.',
  },
  schema: { query },
  answers: { 200: disputeOutcomesShape, ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'caller'>) {
    const { from, to } = query;
    const items = await countDisputeOutcomes(context.reports, {
      ...(await whoseHere(context.reports, context, query)),
      ...present({
        from: from === undefined ? undefined : new Date(from),
        until: to === undefined ? undefined : new Date(to),
      }),
    });
    const { whole, networks, reasons } = sumOutcomes(items);
    return contentAnswer({
      least_decided: leastDecided,
      items: items.map((item) => ({ merchant_id: item.merchantId, ...sumsJson(item) })),
      whole: sumsJson(whole),
      networks: networks.map(sumsJson),
      reasons: reasons.map(sumsJson),
    });
  },
});

function sumsJson(item: OutcomeSums) {
  const { reasonFamily, reasonCode, network, won, lost } = item;
  const decided = won + lost;
  const share = decided === 0 ? undefined : likelyShare(won, decided);
  return present({
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
    win_rate: share && rounded(won / decided),
    win_rate_low: share && rounded(share.low),
    win_rate_high: share && rounded(share.high),
  });
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
