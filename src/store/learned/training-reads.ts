import type { Decline } from '../../domain/declines/decline.ts';
import { present } from '../../domain/present.ts';
import type { DecisionRecord } from '../../policy/plan.ts';
import type {
  TrainingAttempt,
  TrainingPayment,
  TrainingReads,
} from '../../recovery/learned/model-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { readPayerRecords } from './payer-records.ts';

export function createTrainingReads(db: Queryable): TrainingReads {
  return {
    listMerchants: ({ learnedOnly }) => listMerchants(db, learnedOnly),
    readPayments: (input) => readPayments(db, input),
    readPayers: (keys, at, max) => readPayerRecords(db, keys, at, max),
    readWaiting: (merchantIds, at) => readWaiting(db, merchantIds, at),
  };
}

/** A payment that has ended was changed last when it did, or soon after. */
const waiting: Statement = {
  name: 'sum_waiting_days',
  text: `
    select count(*) filter (
        where state = 'stopped' and stop_reason in ('merchant_declined_retry', 'merchant_stop'))::int
        as cancelled,
      coalesce(sum(extract(epoch from
        least($2, window_ends_at, case when state in ('recovered', 'stopped') then updated_at else $2 end)
        - failed_at)) filter (where failed_at < $2), 0)::float8 / 86400 as "openDays"
    from payments where merchant_id = any ($1)`,
};

async function readWaiting(
  db: Queryable,
  merchantIds: readonly string[],
  at: Date,
): Promise<{ readonly cancelled: number; readonly openDays: number }> {
  const [row] = await db.query<{ cancelled: number; openDays: number }>(waiting, [merchantIds, at]);
  return row ?? { cancelled: 0, openDays: 0 };
}

const merchants: Statement = {
  name: 'list_merchants_to_learn_from',
  text: `
    select m.merchant_id from merchants m
    where (not $1 or m.policy_kind = 'learned') ${unlessMoved('m')}
      and exists (select from payments p where p.merchant_id = m.merchant_id)
    order by m.merchant_id`,
};

async function listMerchants(db: Queryable, learnedOnly: boolean): Promise<readonly string[]> {
  const rows = await db.query<{ merchant_id: string }>(merchants, [learnedOnly]);
  return rows.map((row) => row.merchant_id);
}

/** The newest payments first: where there are too many to learn from, the oldest are left out. */
const payments: Statement = {
  name: 'read_payments_to_learn_from',
  text: `
    select p.merchant_id, p.invoice_id, p.customer_id, p.amount_minor, p.currency, p.failed_at,
      p.window_ends_at, p.created_at, p.max_attempts, p.first_decline, p.payment_method_ids,
      (select json_object_agg(m.payment_method_id, m.signalled_at) from payment_methods m
       where m.merchant_id = p.merchant_id and m.customer_id = p.customer_id
         and m.signalled_at is not null) as renewed,
      (select json_agg(json_build_object(
                'started_at', a.started_at, 'ended_at', a.ended_at, 'decision', a.decision,
                'charges', (select json_agg(json_build_object(
                                     'payment_method_id', c.payment_method_id,
                                     'succeeded', c.state = 'succeeded', 'decline', c.decline,
                                     'sent_at', c.sent_at) order by c.ordinal)
                            from psp_transactions c
                            where c.merchant_id = a.merchant_id and c.attempt_id = a.attempt_id
                              and c.state in ('succeeded', 'declined')))
              order by a.number)
       from recorded_attempts a
       where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
         and a.state in ('succeeded', 'declined')) as attempts
    from payments p
    where p.merchant_id = $1
      and ($2::timestamptz is null or (p.created_at, p.invoice_id) < ($2, $3))
    order by p.created_at desc, p.invoice_id desc
    limit $4`,
};

interface PaymentRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly failed_at: Date;
  readonly window_ends_at: Date;
  readonly created_at: Date;
  readonly max_attempts: number;
  readonly first_decline: Decline;
  readonly payment_method_ids: readonly string[];
  readonly renewed: Readonly<Record<string, string>> | null;
  readonly attempts: readonly AttemptRow[] | null;
}

interface AttemptRow {
  readonly started_at: string;
  readonly ended_at: string;
  readonly decision: DecisionRecord | null;
  readonly charges:
    | readonly {
        readonly payment_method_id: string;
        readonly succeeded: boolean;
        readonly decline: Decline | null;
        readonly sent_at: string;
      }[]
    | null;
}

async function readPayments(
  db: Queryable,
  input: Parameters<TrainingReads['readPayments']>[0],
): Promise<readonly TrainingPayment[]> {
  const { merchantId, after, limit } = input;
  const rows = await db.query<PaymentRow>(payments, [
    merchantId,
    after?.createdAt,
    after?.invoiceId,
    limit,
  ]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    failedAt: row.failed_at,
    windowEndsAt: row.window_ends_at,
    createdAt: row.created_at,
    maxAttempts: row.max_attempts,
    firstDecline: row.first_decline,
    paymentMethodIds: row.payment_method_ids,
    renewedAt: new Map(
      Object.entries(row.renewed ?? {}).map(([id, at]) => [id, new Date(at)] as const),
    ),
    attempts: (row.attempts ?? []).map(toAttempt),
  }));
}

function toAttempt(row: AttemptRow): TrainingAttempt {
  return {
    startedAt: new Date(row.started_at),
    endedAt: new Date(row.ended_at),
    ...present({ decision: row.decision ?? undefined }),
    charges: (row.charges ?? []).map((charge) => ({
      paymentMethodId: charge.payment_method_id,
      succeeded: charge.succeeded,
      sentAt: new Date(charge.sent_at),
      ...present({ decline: charge.decline ?? undefined }),
    })),
  };
}
