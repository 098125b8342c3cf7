import type { DisputeRecord, MatchStore } from '../../disputes/dispute-ports.ts';
import type { CaptureIdentifiers } from '../../domain/disputes/matching/match-score.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { type DisputeRow, disputeColumns, given, toRecord } from './dispute-rows.ts';

/** Of each kind: a customer may have thousands of checkouts, and the newest are the nearest. */
const ofEachKind = 50;
const columns = `analytics_id, psp, charge_id, transaction_id, network_transaction_id, invoice_id,
  subscription_id, customer_id, captured_at`;

function looked(condition: string): string {
  return `(select ${columns} from analytics
     where merchant_id = $1 and ${condition} and state <> 'erased'
     order by captured_at desc, analytics_id limit ${ofEachKind})`;
}

/**
 * $2 names of the payment, $3 the network's id, $4 the invoice or the merchant's reference, $5 the
 * subscription, $6 the PSP's customer, $7 the PSP. Each branch looks into one index. The last ones go
 * by the earlier charges of the subscription: their checkouts are inherited.
 */
const find: Statement = {
  name: 'find_match_candidates',
  text: `
    with direct as (
      ${looked('charge_id = any ($2::text[])')}
      union ${looked('transaction_id = any ($2::text[] || $3::text)')}
      union ${looked('network_transaction_id = $3')}
      union ${looked('invoice_id = $4')}
      union ${looked('subscription_id = $5')}
      union ${looked('customer_id = $6')}
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
    )
    select ${columns} from direct
    union
    select analytics_id, psp, charge_id, transaction_id, network_transaction_id, invoice_id,
           coalesce(subscription_id, $5), customer_id, captured_at
    from inherited i
    where i.state <> 'erased' and i.psp = $7
      and (i.subscription_id is null or i.subscription_id = $5)`,
};

interface CandidateRow {
  readonly analytics_id: string;
  readonly psp: Psp;
  readonly charge_id: string | null;
  readonly transaction_id: string | null;
  readonly network_transaction_id: string | null;
  readonly invoice_id: string | null;
  readonly subscription_id: string | null;
  readonly customer_id: string | null;
  readonly captured_at: Date;
}

const lock: Statement = {
  name: 'lock_dispute_for_match',
  text: 'select 1 from disputes where merchant_id = $1 and dispute_id = $2 for update',
};

const forget: Statement = {
  name: 'forget_dispute_matches',
  text: 'delete from dispute_matches where merchant_id = $1 and dispute_id = $2',
};

const note: Statement = {
  name: 'note_dispute_matches',
  text: `
    with noted as (
      insert into dispute_matches (merchant_id, dispute_id, analytics_id, rank, score, reasons,
        is_inherited)
      select $1, $2, m."analyticsId", m.rank, m.score, m.reasons, m."isInherited"
      from json_to_recordset($3::json) as m ("analyticsId" text, rank int, score int, reasons text[],
        "isInherited" boolean)
    )
    update disputes set match_state = $4, matched_at = $5
    where merchant_id = $1 and dispute_id = $2`,
};

const unmatched: Statement = {
  name: 'find_unmatched_disputes',
  text: `
    select ${disputeColumns.join(', ')} from disputes
    where match_state <> 'matched' and (matched_at is null or matched_at < $1) and opened_at > $2
    order by matched_at nulls first, merchant_id, dispute_id
    limit $3`,
};

export function createMatchStore({ db }: { readonly db: Database }): MatchStore {
  return {
    findCandidates: (dispute) => findCandidates(db, dispute),
    async save({ merchantId, disputeId, state, matches, at }) {
      await db.transaction(async (tx) => {
        const key = [merchantId, disputeId];
        await tx.query(lock, key);
        await tx.query(forget, key);
        const ranked = matches.map((match, index) => ({ ...match, rank: index + 1 }));
        await tx.query(note, [...key, JSON.stringify(ranked), state, at]);
      });
    },
    async findUnmatched({ lookedBefore, openedAfter, limit }) {
      const rows = await db.query<DisputeRow>(unmatched, [lookedBefore, openedAfter, limit]);
      return rows.map(toRecord);
    },
  };
}

async function findCandidates(
  db: Queryable,
  { merchantId, psp, facts }: DisputeRecord,
): Promise<readonly CaptureIdentifiers[]> {
  const rows = await db.query<CandidateRow>(find, [
    merchantId,
    facts.paymentIds,
    facts.networkTransactionId,
    facts.invoiceId ?? facts.merchantReference,
    facts.subscriptionId,
    facts.pspCustomerId,
    psp,
  ]);
  // A capture that both ways found comes twice, once with the subscription: that one knows more.
  const byId = new Map<string, CaptureIdentifiers>();
  for (const row of rows) {
    const capture = toCapture(row);
    const known = byId.get(capture.id);
    if (known?.subscriptionId === undefined) byId.set(capture.id, capture);
  }
  return [...byId.values()];
}

function toCapture(row: CandidateRow): CaptureIdentifiers {
  return {
    id: row.analytics_id,
    psp: row.psp,
    capturedAt: row.captured_at,
    ...given({
      chargeId: row.charge_id,
      transactionId: row.transaction_id,
      networkTransactionId: row.network_transaction_id,
      invoiceId: row.invoice_id,
      subscriptionId: row.subscription_id,
      customerId: row.customer_id,
    }),
  };
}
