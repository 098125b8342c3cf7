import type {
  KnownDelivery,
  KnownRefund,
  KnownTry,
} from '../../../disputes/evidence/evidence-ports.ts';
import { present } from '../../../domain/present.ts';
import type { Psp } from '../../../domain/psps.ts';
import { withArchived } from '../../archive/over-archived.ts';
import type { Queryable, Statement } from '../../database.ts';

const tries: Statement = {
  name: 'find_evidence_tries',
  text: `
    select sent_at, state, amount_minor, currency, psp_transaction_id from psp_transactions
    where merchant_id = $1 and invoice_id = $2 and state <> 'not_made'
    order by sent_at, attempt_id, ordinal
    limit 200`,
};

const deliveries: Statement = {
  name: 'find_evidence_deliveries',
  text: `
    select d.delivered_at, e.type, e.event_id
    from events e
    join deliveries d on d.merchant_id = e.merchant_id and d.event_id = e.event_id
    where e.merchant_id = $1 and e.invoice_id = $2 and d.delivered_at is not null
    order by e.sequence
    limit 200`,
};

/** Of a charge by any of its names: $2 the PSP, $3 the names. The side that was given back is the PSP's, where it is known. */
const refunds: Statement = {
  name: 'find_evidence_refunds',
  text: `
    select i.resolved_at, i.refund_id,
           (coalesce(i.theirs ->> 'amount_minor', i.ours ->> 'amount_minor'))::float8 as amount_minor,
           coalesce(i.theirs ->> 'currency', i.ours ->> 'currency') as currency
    from incidents i
    where i.merchant_id = $1 and i.psp = $2 and i.state = 'refunded'
      and coalesce(i.theirs ->> 'psp_transaction_id', i.ours ->> 'psp_transaction_id')
        = any ($3::text[])
    order by i.resolved_at, i.incident_id
    limit 20`,
};

interface RefundRow {
  readonly resolved_at: Date;
  readonly refund_id: string;
  readonly amount_minor: number | null;
  readonly currency: string | null;
}

interface TryRow {
  readonly sent_at: Date;
  readonly state: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly psp_transaction_id: string | null;
}

interface DeliveryRow {
  readonly delivered_at: Date;
  readonly type: string;
  readonly event_id: string;
}

interface OfInvoice {
  readonly merchantId: string;
  readonly invoiceId: string;
}

/** What Recoup sent to PSPs for an invoice, the first one first. */
export async function findTries(
  db: Queryable,
  { merchantId, invoiceId }: OfInvoice,
): Promise<readonly KnownTry[]> {
  const rows = await db.query<TryRow>(tries, [merchantId, invoiceId]);
  return rows.map((row) => ({
    at: row.sent_at,
    state: row.state,
    money: { amountMinor: row.amount_minor, currency: row.currency },
    ...present({ pspTransactionId: row.psp_transaction_id ?? undefined }),
  }));
}

/** What Recoup gave back of a charge, the first one first. */
export async function findRefunds(
  db: Queryable,
  of: { readonly merchantId: string; readonly psp: Psp; readonly names: readonly string[] },
): Promise<readonly KnownRefund[]> {
  const rows = await db.query<RefundRow>(refunds, [of.merchantId, of.psp, of.names]);
  return rows.map(({ resolved_at: at, refund_id: refundId, amount_minor, currency }) => ({
    at,
    refundId,
    ...(amount_minor !== null &&
      currency !== null && { money: { amountMinor: amount_minor, currency } }),
  }));
}

/** What the merchant's server took about an invoice, the first one first. */
export async function findDeliveries(
  db: Queryable,
  { merchantId, invoiceId }: OfInvoice,
): Promise<readonly KnownDelivery[]> {
  const of = { merchantId, invoiceId };
  const rows = await withArchived(db, of, (whole) =>
    whole.query<DeliveryRow>(deliveries, [merchantId, invoiceId]),
  );
  return rows.map(({ delivered_at: at, type, event_id: eventId }) => ({ at, type, eventId }));
}
