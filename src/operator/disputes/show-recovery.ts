import { Type } from 'typebox';
import type { NetRecovery } from '../../disputes/report-ports.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { sumNetRecovery } from '../../store/reports/net-recovery.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    from: Type.Optional(timeField('Of charges at this time or later. Without it: from the first.')),
    to: Type.Optional(timeField('Of charges before this time. Without it: to the last.')),
  },
  { additionalProperties: false },
);

const count = Type.Integer({ minimum: 0 });
const minor = (description: string) => Type.Integer({ description });

export const recoveryShape = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        merchant_id: merchantIdField,
        currency: Type.String(),
        recovered_count: count,
        recovered_minor: minor('The amount of the charges, in minor units.'),
        open_count: count,
        open_minor: minor('The part of it that is disputed and not decided.'),
        lost_count: count,
        lost_minor: minor(
          'The part that was taken back: lost, accepted, expired, or refunded before.',
        ),
        net_minor: minor('Recovered less lost.'),
      }),
    ),
  },
  {
    description: 'One item for each merchant and currency, in whole minor units.',
    examples: [
      {
        items: [
          {
            merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
            currency: 'EUR',
            recovered_count: 120,
            recovered_minor: 588_000,
            open_count: 1,
            open_minor: 4_900,
            lost_count: 2,
            lost_minor: 9_800,
            net_minor: 578_200,
          },
        ],
      },
    ],
  },
);

/** GET /api/recovery */
export const showRecovery = defineEndpoint({
  method: 'GET',
  path: '/api/recovery',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'showRecovery',
    tag: 'Dispute reports',
    summary: 'Sum what was recovered, net of later disputes',
    description:
      'Charges that Recoup made in this period, less what disputes have taken from them since, at any time.',
  },
  schema: { query },
  answers: { 200: recoveryShape, ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'caller'>) {
    const { from, to } = query;
    const items = await sumNetRecovery(context.reports, {
      ...(await whoseHere(context.reports, context, query)),
      ...present({
        from: from === undefined ? undefined : new Date(from),
        until: to === undefined ? undefined : new Date(to),
      }),
    });
    return contentAnswer({ items: items.map(itemJson) });
  },
});

function itemJson(item: NetRecovery) {
  return {
    merchant_id: item.merchantId,
    currency: item.currency,
    recovered_count: item.recoveredCount,
    recovered_minor: item.recoveredMinor,
    open_count: item.openCount,
    open_minor: item.openMinor,
    lost_count: item.lostCount,
    lost_minor: item.lostMinor,
    net_minor: item.recoveredMinor - item.lostMinor,
  };
}
