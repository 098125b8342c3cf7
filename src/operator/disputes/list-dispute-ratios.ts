import { Type } from 'typebox';
import { judgeRatios, monthAt, monthsOf } from '../../disputes/dispute-ratios.ts';
import type { DisputeRatios } from '../../disputes/report-ports.ts';
import {
  monthOf,
  type NetworkCounts,
  type ProgrammeVerdict,
} from '../../domain/disputes/monitoring/judge-month.ts';
import { programmes } from '../../domain/disputes/monitoring/programmes.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, shapedField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { countMonth } from '../../store/reports/disputes/dispute-ratios.ts';
import { InvalidRequest } from '../invalid-request.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { countField, merchantIdField, refusals } from '../shapes.ts';

const settledCount = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }));

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    month: Type.Optional(
      shapedField(
        'The month, in UTC. Default: the current month.',
        '^20[0-9]{2}-(0[1-9]|1[0-2])$',
        'a year and a month, such as 2026-06',
      ),
    ),
    visa_settled: settledCount(
      "Settled charges of the month, from the acquirer's statement, for one merchant.",
    ),
    mastercard_settled_before: settledCount('The same for the month before, at Mastercard.'),
  },
  { additionalProperties: false },
);

const networkShape = Type.Object(
  {
    settled: countField('Charges that succeeded in the month, as far as Recoup knows of them.'),
    settled_before: countField('The same for the month before.'),
    fraud_reports: countField('Fraud warnings of the month.'),
    disputes: countField('Disputes whose chargeback began in the month.'),
  },
  { title: 'NetworkCounts' },
);

const verdictShape = Type.Object(
  {
    programme: enumField(
      programmes.map((item) => item.id),
      'The monitoring programme.',
    ),
    items: countField('What it counts.'),
    out_of: countField('The denominator of the ratio.'),
    ratio_bps: Type.Optional(
      Type.Number({ description: 'Hundredths of a percent; absent where nothing was settled.' }),
    ),
    limit_items: countField('Excessive from this many cases on, and'),
    limit_bps: countField('from this ratio on, both in one month.'),
    is_excessive: Type.Boolean(),
    days_to_breach: Type.Optional(
      countField(
        'Days until the limit at the current pace; 0 when reached; absent if the month ends first.',
      ),
    ),
    source: Type.String({ description: 'Whose figures the limits are.' }),
  },
  { title: 'ProgrammeVerdict' },
);

export const ratiosShape = Type.Object(
  {
    month: Type.String(),
    as_of: timeField(
      'When the charges were counted; for this month and the one before, at most ten minutes ago.',
    ),
    items: Type.Array(
      Type.Object({
        merchant_id: merchantIdField,
        visa: networkShape,
        mastercard: networkShape,
        unknown_disputes: countField('Disputes and warnings whose network is not known.'),
        unknown_settled: countField('Charges whose network is not known.'),
        programmes: Type.Array(verdictShape),
      }),
    ),
  },
  {
    title: 'DisputeRatios',
    description: 'An estimate for each merchant that has anything to count.',
    examples: [
      {
        month: '2026-06',
        as_of: '2026-06-20T09:30:00.000Z',
        items: [
          {
            merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
            visa: { settled: 9_000, settled_before: 8_500, fraud_reports: 20, disputes: 40 },
            mastercard: { settled: 5_000, settled_before: 4_800, fraud_reports: 5, disputes: 48 },
            unknown_disputes: 1,
            unknown_settled: 12,
            programmes: [
              {
                programme: 'mastercard_ecm',
                items: 48,
                out_of: 4_800,
                ratio_bps: 100,
                limit_items: 100,
                limit_bps: 150,
                is_excessive: false,
                days_to_breach: 12,
                source: 'docs.solidgate.com, Mastercard programmes',
              },
            ],
          },
        ],
      },
    ],
  },
);

/** GET /api/dispute-ratios */
export const listDisputeRatios = defineEndpoint({
  method: 'GET',
  path: '/api/dispute-ratios',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listDisputeRatios',
    tag: 'Dispute reports',
    summary: "Estimate the ratios of the networks' monitoring programmes",
    description:
      'Visa VAMP and Mastercard ECM and HECM, from what was reported to Recoup; docs/disputes.md has the formulas and their limits. A call recounts the charges if the last count is ten minutes old; `as_of` is the time of the count.',
  },
  schema: { query },
  answers: { 200: ratiosShape, ...refusals(400) },
  async answer(
    { query },
    context: Pick<OperatorContext, 'reports' | 'now' | 'refreshSums' | 'caller'>,
  ) {
    const { merchant_id: merchantId, visa_settled: visaSettled } = query;
    const { mastercard_settled_before: mastercardSettledBefore } = query;
    if (merchantId === undefined && (visaSettled ?? mastercardSettledBefore) !== undefined) {
      const text = "Needed with the acquirer's figures, which belong to one merchant";
      throw new InvalidRequest([{ at: 'merchant_id', text }]);
    }
    const named = query.month;
    const now = context.now();
    const month = (named === undefined ? undefined : monthOf(named)) ?? monthAt(now);
    const stated = present({ visaSettled, mastercardSettledBefore });
    context.refreshSums();
    const { months, asOf = now } = await countMonth(context.reports, {
      ...(await whoseHere(context.reports, context, query)),
      ...monthsOf(month),
    });
    const items = judgeRatios(months, { month, now, ...stated });
    return contentAnswer({
      month: month.from.toISOString().slice(0, 7),
      as_of: asOf.toISOString(),
      items: items.map(itemJson),
    });
  },
});

function itemJson(item: DisputeRatios) {
  return {
    merchant_id: item.merchantId,
    visa: networkJson(item.visa),
    mastercard: networkJson(item.mastercard),
    unknown_disputes: item.unknownDisputes,
    unknown_settled: item.unknownSettled,
    programmes: item.verdicts.map(verdictJson),
  };
}

function networkJson(counts: NetworkCounts) {
  return {
    settled: counts.settled,
    settled_before: counts.settledBefore,
    fraud_reports: counts.fraudReports,
    disputes: counts.disputes,
  };
}

function verdictJson(verdict: ProgrammeVerdict) {
  return {
    programme: verdict.programme,
    items: verdict.items,
    out_of: verdict.outOf,
    limit_items: verdict.limits.minItems,
    limit_bps: verdict.limits.minRatioBps,
    is_excessive: verdict.isExcessive,
    source: verdict.limits.source,
    ...present({ ratio_bps: verdict.ratioBps, days_to_breach: verdict.daysToBreach }),
  };
}
