import type { Decline } from '../../domain/declines/decline.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { InvoiceOf } from '../../recovery/api.ts';
import type {
  PaymentStory,
  StoryMethod,
  StoryPspEvent,
  StorySend,
} from '../../recovery/reports/payment-story.ts';
import { withArchived } from '../archive/over-archived.ts';
import type { Queryable, Statement } from '../database.ts';
import { type PaymentMethodRow, paymentMethodFacts } from '../payment-method-facts.ts';
import { notedEvents } from '../psp-events/noted-events.ts';

/** Lines of one kind that are shown of one payment: more than any recovery leaves behind. */
const maxLines = 200;

const statement = (name: string, text: string): Statement => ({ name: `story_${name}`, text });

const first = statement(
  'payment',
  `select first_decline, payment_method_ids[1] as first_method_id
   from payments where merchant_id = $1 and invoice_id = $2`,
);

/** The payment's own methods, and those that updates of its customer named. */
const methods = statement(
  'methods',
  `select m.payment_method_id, m.scheme, m.funding_source, m.bin, m.issuer_country,
          m.state = 'removed' as is_removed, m.last_reason, m.signalled_at
   from payments p
   join payment_methods m on m.merchant_id = p.merchant_id
     and (m.payment_method_id = any (p.payment_method_ids)
          or (m.signalled_at is not null and m.customer_id = p.customer_id)
          or (m.signalled_at is not null and m.psp_customer_id = p.psp_customer_id))
   where p.merchant_id = $1 and p.invoice_id = $2
   order by array_position(p.payment_method_ids, m.payment_method_id), m.payment_method_id
   limit ${maxLines}`,
);

/** Not the failure that began it all, which the payment itself tells. */
const reports = statement(
  'reports',
  `select t.psp_transaction_id, t.success, t.amount_minor, t.currency, t.occurred_at, t.received_at
   from payments p join merchant_transactions t using (merchant_id, invoice_id)
   where p.merchant_id = $1 and p.invoice_id = $2
     and t.psp_transaction_id <> p.original_psp_transaction_id
   order by t.occurred_at limit ${maxLines}`,
);

const sends = statement(
  'sends',
  `select s.* from (
     select e.event_id, e.type, null as endpoint_id, t.number, t.sent_at, t.status, t.error,
            t.duration_ms, t.answer
     from events e join delivery_sends t using (merchant_id, event_id)
     where e.merchant_id = $1 and e.invoice_id = $2
     union all
     select e.event_id, e.type, t.endpoint_id, t.number, t.sent_at, t.status, t.error,
            t.duration_ms, t.answer
     from events e join endpoint_delivery_sends t using (merchant_id, event_id)
     where e.merchant_id = $1 and e.invoice_id = $2
   ) s
   order by s.sent_at, s.event_id, s.endpoint_id nulls first, s.number limit ${maxLines}`,
);

const pspEvents = statement(
  'psp_events',
  `${notedEvents('psp, event_id, type, outcome, received_at', 'merchant_id = $1 and invoice_id = $2')}
   order by received_at limit ${maxLines}`,
);

const disputes = statement(
  'disputes',
  `select dispute_id, kind, reason, opened_at from disputes
   where merchant_id = $1 and invoice_id = $2 order by opened_at limit ${maxLines}`,
);

const actions = statement(
  'actions',
  `select action, detail, at from audit_log
   where merchant_id = $1 and detail ->> 'invoice_id' = $2 order by at limit ${maxLines}`,
);

interface MethodRow extends PaymentMethodRow {
  readonly is_removed: boolean;
  readonly last_reason: string | null;
  readonly signalled_at: Date | null;
}

interface ReportRow {
  readonly psp_transaction_id: string;
  readonly success: boolean;
  readonly amount_minor: number;
  readonly currency: string;
  readonly occurred_at: Date;
  readonly received_at: Date;
}

interface SendRow {
  readonly event_id: string;
  readonly type: string;
  readonly endpoint_id: string | null;
  readonly number: number;
  readonly sent_at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly answer: string | null;
}

interface PspEventRow {
  readonly psp: string;
  readonly event_id: string;
  readonly type: string;
  readonly outcome: string;
  readonly received_at: Date;
}

interface DisputeRow {
  readonly dispute_id: string;
  readonly kind: string;
  readonly reason: string | null;
  readonly opened_at: Date;
}

/** Everything about a payment that does not stand in its own rows; undefined for no payment. */
export function readPaymentStory(
  db: Queryable,
  input: InvoiceOf,
): Promise<PaymentStory | undefined> {
  return withArchived(db, input, (whole) => readStory(whole, input));
}

async function readStory(db: Queryable, input: InvoiceOf): Promise<PaymentStory | undefined> {
  const key = [input.merchantId, input.invoiceId];
  const [[payment], ofMethods, ofReports, ofSends, ofPsp, ofDisputes, ofActions] =
    await Promise.all([
      db.query<{ first_decline: Decline; first_method_id: string }>(first, key),
      db.query<MethodRow>(methods, key),
      db.query<ReportRow>(reports, key),
      db.query<SendRow>(sends, key),
      db.query<PspEventRow>(pspEvents, key),
      db.query<DisputeRow>(disputes, key),
      db.query<{ action: string; detail: JsonObject; at: Date }>(actions, key),
    ]);
  if (payment === undefined) return undefined;
  return {
    firstDecline: payment.first_decline,
    firstMethodId: payment.first_method_id,
    methods: ofMethods.map(toMethod),
    reports: ofReports.map((row) => ({
      pspTransactionId: row.psp_transaction_id,
      success: row.success,
      amountMinor: row.amount_minor,
      currency: row.currency,
      occurredAt: row.occurred_at,
      receivedAt: row.received_at,
    })),
    sends: ofSends.map(toSend),
    pspEvents: ofPsp.map(toPspEvent),
    disputes: ofDisputes.map((row) => ({
      disputeId: row.dispute_id,
      kind: row.kind,
      openedAt: row.opened_at,
      ...present({ reason: row.reason ?? undefined }),
    })),
    actions: ofActions,
  };
}

function toMethod(row: MethodRow): StoryMethod {
  const { last_reason: reason, signalled_at: at } = row;
  return {
    ...paymentMethodFacts(row),
    isRemoved: row.is_removed,
    ...(reason !== null && at !== null && { signal: { reason, at } }),
  };
}

function toSend(row: SendRow): StorySend {
  return {
    eventId: row.event_id,
    type: row.type,
    number: row.number,
    sentAt: row.sent_at,
    durationMs: row.duration_ms,
    ...present({
      status: row.status ?? undefined,
      error: row.error ?? undefined,
      answer: row.answer ?? undefined,
      endpointId: row.endpoint_id ?? undefined,
    }),
  };
}

function toPspEvent(row: PspEventRow): StoryPspEvent {
  return {
    psp: row.psp,
    eventId: row.event_id,
    type: row.type,
    outcome: row.outcome,
    receivedAt: row.received_at,
  };
}
