import type { DisputeRecord } from '../../../disputes/dispute-ports.ts';
import { addMs } from '../../../domain/clock.ts';
import {
  type AnalyticsIdentifiers,
  emailWindowMs,
} from '../../../domain/disputes/matching/match-score.ts';
import { invoiceIdsOf } from '../../../domain/disputes/reported-dispute.ts';
import { present } from '../../../domain/present.ts';
import type { Queryable, Statement } from '../../database.ts';
import {
  type AnalyticsIdsRow,
  analyticsIdColumns,
  analyticsIdentifiers,
} from '../analytics-ids.ts';

/** Of each kind: a customer may have thousands of checkouts, and the newest are the nearest. */
const ofEachKind = 50;
const columns = `${analyticsIdColumns}, email_index`;

function looked(condition: string): string {
  return `(select ${columns} from analytics
     where merchant_id = $1 and ${condition} and state <> 'erased'
     order by captured_at desc, analytics_id limit ${ofEachKind})`;
}

/**
 * $2 names of the payment, $3 the network's id, $4 the invoice and the merchant's reference, $5 the
 * subscription, $6 the PSP's customer, $7 the PSP, $8 the hash of the e-mail address, $9 and $10
 * the time around the charge, $11 the card's fingerprint, $12 the method. Each branch looks into
 * one index. The last ones go by the earlier charges of the subscription: their checkouts are
 * inherited. The card of an analytics record is that of the payment which it names.
 */
const find: Statement = {
  name: 'find_match_candidates',
  text: `
    with direct as (
      ${looked('charge_id = any ($2::text[])')}
      union ${looked('transaction_id = any ($2::text[] || $3::text)')}
      union ${looked('network_transaction_id = $3')}
      union ${looked('invoice_id = any ($4::text[])')}
      union ${looked('subscription_id = $5')}
      union ${looked('customer_id = $6')}
      union ${looked('email_index = $8::bytea')}
      union ${looked('email_index = $8::bytea and captured_at between $9 and $10')}
    ),
    earlier as (
      select psp_transaction_id, invoice_id from transactions
      where merchant_id = $1 and subscription_id = $5 and success and psp = $7
      order by occurred_at
      limit ${ofEachKind}
    ),
    inherited as (
      select a.* from earlier e
      join analytics a on a.merchant_id = $1 and a.charge_id = e.psp_transaction_id
      union
      select a.* from earlier e
      join analytics a on a.merchant_id = $1 and a.transaction_id = e.psp_transaction_id
      union
      select a.* from earlier e
      join analytics a on a.merchant_id = $1 and a.invoice_id = e.invoice_id
    ),
    found as (
      select ${columns} from direct
      union
      select analytics_id, psp, charge_id, transaction_id, network_transaction_id, invoice_id,
             coalesce(subscription_id, $5), customer_id, captured_at, email_index
      from inherited i
      where i.state <> 'erased' and i.psp = $7
        and (i.subscription_id is null or i.subscription_id = $5)
    )
    select f.*, encode(f.email_index, 'hex') as email_hash,
           case when f.email_index = $8::bytea and f.captured_at between $9 and $10
           then exists (
             select from transactions t
             left join payment_methods m
               on m.merchant_id = t.merchant_id and m.payment_method_id = t.payment_method_id
             where t.merchant_id = $1 and t.success and t.psp = $7
               and t.psp_transaction_id in (f.charge_id, f.transaction_id)
               and (t.payment_method_id = $12 or m.fingerprint = $11)
             offset 0)
           or exists (
             select from transactions t
             left join payment_methods m
               on m.merchant_id = t.merchant_id and m.payment_method_id = t.payment_method_id
             where t.merchant_id = $1 and t.success and t.psp = $7 and t.invoice_id = f.invoice_id
               and (t.payment_method_id = $12 or m.fingerprint = $11)
             offset 0) end as is_same_card
    from found f`,
};

interface CandidateRow extends AnalyticsIdsRow {
  readonly email_hash: string;
  readonly is_same_card: boolean | null;
}

/** Analytics records that have anything in common with a dispute. */
export async function findCandidates(
  db: Queryable,
  { merchantId, psp, facts }: DisputeRecord,
): Promise<readonly AnalyticsIdentifiers[]> {
  const chargedAt = facts.chargedAt ?? facts.openedAt;
  const { emailIndex, cardFingerprint, paymentMethodId } = facts;
  const rows = await db.query<CandidateRow>(find, [
    merchantId,
    facts.paymentIds,
    facts.networkTransactionId,
    invoiceIdsOf(facts),
    facts.subscriptionId,
    facts.pspCustomerId,
    psp,
    emailIndex === undefined ? null : Buffer.from(emailIndex, 'hex'),
    addMs(chargedAt, -emailWindowMs),
    addMs(chargedAt, emailWindowMs),
    cardFingerprint,
    paymentMethodId,
  ]);
  const card = cardFingerprint ?? paymentMethodId ?? null;
  // An analytics record that both ways found comes twice, once with the subscription: that one
  // knows more.
  const byId = new Map<string, AnalyticsIdentifiers>();
  for (const row of rows) {
    const analyticsRecord = toAnalytics(row, card);
    const known = byId.get(analyticsRecord.id);
    if (known?.subscriptionId === undefined) byId.set(analyticsRecord.id, analyticsRecord);
  }
  return [...byId.values()];
}

function toAnalytics(row: CandidateRow, card: string | null): AnalyticsIdentifiers {
  return {
    ...analyticsIdentifiers(row),
    emailIndex: row.email_hash,
    ...(row.is_same_card === true && present({ card: card ?? undefined })),
  };
}
