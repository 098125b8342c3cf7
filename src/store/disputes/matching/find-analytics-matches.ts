import type {
  AnalyticsDispute,
  AnalyticsMatches,
  MatchState,
  PaymentMatch,
} from '../../../disputes/dispute-ports.ts';
import {
  type AnalyticsIdentifiers,
  type MatchReason,
  scoreMatch,
} from '../../../domain/disputes/matching/match-score.ts';
import { present } from '../../../domain/present.ts';
import type { Psp } from '../../../domain/psps.ts';
import type { Queryable, Statement } from '../../database.ts';
import {
  type AnalyticsIdsRow,
  analyticsIdColumns,
  analyticsIdentifiers,
} from '../analytics-ids.ts';
import { type DisputeRow, stateOf } from '../dispute-rows.ts';

/** More than anybody reads of one checkout: ten years of a monthly subscription. */
const maxPayments = 120;

/**
 * Payments that succeeded, reported or made by Recoup, and have an id in common with the analytics
 * record. A charge of ours that its PSP reported too stands there once.
 */
const payments: Statement = {
  name: 'find_payments_of_analytics',
  text: `
    with records as (
      select * from analytics
      where merchant_id = $1 and analytics_id = $2 and state <> 'erased'
    ),
    named as (
      select t.invoice_id, t.psp_transaction_id, t.psp, t.network_transaction_id,
             t.subscription_id, t.occurred_at, t.payment_method_id
      from records c join transactions t on t.merchant_id = c.merchant_id and t.success
        and t.psp_transaction_id in (c.charge_id, c.transaction_id)
      union
      select t.invoice_id, t.psp_transaction_id, t.psp, t.network_transaction_id,
             t.subscription_id, t.occurred_at, t.payment_method_id
      from records c join transactions t on t.merchant_id = c.merchant_id and t.success
        and t.invoice_id = c.invoice_id
      union
      select t.invoice_id, t.psp_transaction_id, t.psp, t.network_transaction_id,
             t.subscription_id, t.occurred_at, t.payment_method_id
      from records c join transactions t on t.merchant_id = c.merchant_id and t.success
        and t.subscription_id = c.subscription_id
      union
      select o.invoice_id, o.psp_transaction_id, o.psp, o.network_transaction_id,
             p.subscription_id, o.sent_at, o.payment_method_id
      from records c
      join payments p on p.merchant_id = c.merchant_id and p.invoice_id = c.invoice_id
      join psp_transactions o on o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id
        and o.state = 'succeeded' and o.psp_transaction_id is not null
    )
    select distinct on (n.invoice_id, n.psp_transaction_id)
           n.invoice_id, n.psp_transaction_id, n.psp, n.network_transaction_id, n.subscription_id,
           n.occurred_at, m.psp_customer_id
    from named n
    left join payment_methods m
      on m.merchant_id = $1 and m.payment_method_id = n.payment_method_id
    order by n.invoice_id, n.psp_transaction_id, n.occurred_at
    limit ${maxPayments}`,
};

interface PaymentRow {
  readonly invoice_id: string;
  readonly psp_transaction_id: string;
  readonly psp: Psp;
  readonly network_transaction_id: string | null;
  readonly subscription_id: string | null;
  readonly occurred_at: Date;
  readonly psp_customer_id: string | null;
}

const disputes: Statement = {
  name: 'find_disputes_of_analytics',
  text: `
    select d.dispute_id, d.stage, d.status, d.match_state, m.score, m.reasons, m.is_inherited,
           m.rank = 1 and d.match_state = 'matched' as is_the_match
    from dispute_matches m
    join disputes d on d.merchant_id = m.merchant_id and d.dispute_id = m.dispute_id
    where m.merchant_id = $1 and m.analytics_id = $2
    order by d.opened_at desc, d.dispute_id`,
};

interface AnalyticsDisputeRow extends Pick<DisputeRow, 'dispute_id' | 'stage' | 'status'> {
  readonly match_state: MatchState;
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  readonly is_inherited: boolean;
  readonly is_the_match: boolean;
}

const analyticsRecord: Statement = {
  name: 'find_analytics_ids',
  text: `
    select ${analyticsIdColumns}
    from analytics where merchant_id = $1 and analytics_id = $2 and state <> 'erased'`,
};

/**
 * What an analytics record belongs to: its payments by their ids, its disputes as they were
 * matched.
 */
export async function findAnalyticsMatches(
  db: Queryable,
  { merchantId, analyticsId }: { readonly merchantId: string; readonly analyticsId: string },
): Promise<AnalyticsMatches> {
  const key = [merchantId, analyticsId];
  const [[row], paid, disputed] = await Promise.all([
    db.query<AnalyticsIdsRow>(analyticsRecord, key),
    db.query<PaymentRow>(payments, key),
    db.query<AnalyticsDisputeRow>(disputes, key),
  ]);
  const ids = row === undefined ? undefined : analyticsIdentifiers(row);
  const matched = ids === undefined ? [] : paid.flatMap((one) => paymentMatch(one, ids));
  return {
    payments: matched.toSorted(
      (a, b) => b.score - a.score || b.chargedAt.getTime() - a.chargedAt.getTime(),
    ),
    disputes: disputed.map(toDispute),
  };
}

function paymentMatch(row: PaymentRow, ids: AnalyticsIdentifiers): readonly PaymentMatch[] {
  const { score, reasons, isInherited } = scoreMatch(
    {
      psp: row.psp,
      paymentIds: [row.psp_transaction_id],
      invoiceIds: [row.invoice_id],
      chargedAt: row.occurred_at,
      ...present({
        networkTransactionId: row.network_transaction_id ?? undefined,
        subscriptionId: row.subscription_id ?? undefined,
        customerId: row.psp_customer_id ?? undefined,
      }),
    },
    ids,
  );
  if (score === 0) return [];
  const { invoice_id: invoiceId, psp_transaction_id: pspTransactionId } = row;
  return [{ invoiceId, pspTransactionId, chargedAt: row.occurred_at, score, reasons, isInherited }];
}

function toDispute(row: AnalyticsDisputeRow): AnalyticsDispute {
  return {
    disputeId: row.dispute_id,
    state: stateOf(row),
    matchState: row.match_state,
    score: row.score,
    reasons: row.reasons,
    isInherited: row.is_inherited,
    isTheMatch: row.is_the_match,
  };
}
