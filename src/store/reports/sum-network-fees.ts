import {
  optimizerAdvice,
  optimizerCode,
  optimizerFee,
} from '../../domain/network-rules/mastercard.ts';
import type { FeesQuery, FeeTotal } from '../../recovery/reports/operator-views.ts';
import type { Queryable, Statement } from '../database.ts';

/** `infinity` takes the place of an end that was not given. */
const between = (column: string): string =>
  `${column} >= coalesce($2::timestamptz, '-infinity')
   and ${column} < coalesce($3::timestamptz, 'infinity')`;

const sum: Statement = {
  name: 'sum_network_fees',
  text: `
    select network, rule, currency,
           coalesce(sum(amount_micros) filter (where kind = 'expected'), 0)::bigint as expected_micros,
           count(*) filter (where kind = 'expected')::int as expected_count,
           coalesce(sum(amount_micros) filter (where kind = 'avoided'), 0)::bigint as avoided_micros,
           count(*) filter (where kind = 'avoided')::int as avoided_count
    from network_fees
    where merchant_id = $1 and ${between('at')}
    group by network, rule, currency
    order by network, rule, currency`,
};

/** Declines whose advice Mastercard charges for. They are counted where they stand, not written twice. */
const advised: Statement = {
  name: 'count_advised_declines',
  text: `
    select acquirer_country, max(at) as latest, count(*)::int as count
    from card_histories
    where merchant_id = $1 and ${between('at')} and advice_code is not null
      and network = 'mastercard' and initiator = 'mit'
      and network_code = $4 and advice_code = any ($5::text[])
    group by acquirer_country`,
};

interface SumRow {
  readonly network: string;
  readonly rule: string;
  readonly currency: string;
  readonly expected_micros: number;
  readonly expected_count: number;
  readonly avoided_micros: number;
  readonly avoided_count: number;
}

interface AdvisedRow {
  readonly acquirer_country: string | null;
  readonly latest: Date;
  readonly count: number;
}

/** A merchant's fees in a time, summed per network, rule and currency. */
export async function sumNetworkFees(
  db: Queryable,
  input: FeesQuery,
): Promise<readonly FeeTotal[]> {
  const range = [input.merchantId, input.from ?? null, input.to ?? null];
  const [sums, advice] = await Promise.all([
    db.query<SumRow>(sum, range),
    db.query<AdvisedRow>(advised, [...range, optimizerCode, optimizerAdvice]),
  ]);
  return [...sums.map(toTotal), ...adviceTotals(advice)];
}

function toTotal(row: SumRow): FeeTotal {
  return {
    network: row.network,
    rule: row.rule,
    currency: row.currency,
    expectedMicros: row.expected_micros,
    expectedCount: row.expected_count,
    avoidedMicros: row.avoided_micros,
    avoidedCount: row.avoided_count,
  };
}

function adviceTotals(rows: readonly AdvisedRow[]): readonly FeeTotal[] {
  const totals = new Map<string, FeeTotal>();
  for (const { acquirer_country: country, latest, count } of rows) {
    const fee = optimizerFee(country ?? undefined, latest);
    if (fee === undefined) continue;
    const before = totals.get(fee.currency);
    totals.set(fee.currency, {
      network: 'mastercard',
      rule: 'mastercard.optimizer',
      currency: fee.currency,
      expectedMicros: (before?.expectedMicros ?? 0) + fee.amountMicros * count,
      expectedCount: (before?.expectedCount ?? 0) + count,
      avoidedMicros: 0,
      avoidedCount: 0,
    });
  }
  return [...totals.values()];
}
