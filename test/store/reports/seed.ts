import { lookUpsOfLadder } from '../../../src/domain/limits.ts';
import type { Database } from '../../../src/store/database.ts';

/** Rows that the engine would have written, for the reports to read. Times: minutes of one day. */
export const minute = (n: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + n * 60_000);

async function insert(
  db: Database,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`;
  await db.pool.query(text, Object.values(row));
}

export async function seedMerchant(db: Database, merchantId: string): Promise<void> {
  await insert(db, 'merchants', {
    merchant_id: merchantId,
    name: merchantId,
    retry_status_url: 'https://x/retry',
    webhook_url: 'https://x/hook',
    policy_kind: 'fixed',
    window_days: 28,
    max_attempts: 8,
    fixed_days: [1],
    created_at: minute(0),
    updated_at: minute(0),
  });
}

interface InvoiceOf {
  readonly merchantId: string;
  readonly invoiceId: string;
}

export async function seedPayment(
  db: Database,
  { merchantId, invoiceId, ...columns }: InvoiceOf & Record<string, unknown>,
): Promise<void> {
  const isOpen = columns.state === undefined || columns.state === 'scheduled';
  await insert(db, 'payments', {
    merchant_id: merchantId,
    invoice_id: invoiceId,
    customer_id: `cus_of_${invoiceId}`,
    transaction_id: `tra_of_${invoiceId}`,
    original_psp_transaction_id: `ch_of_${invoiceId}`,
    psp: 'sandbox',
    amount_minor: 1_000,
    currency: 'EUR',
    payment_method_ids: ['pm_1'],
    first_decline: {},
    failed_at: minute(0),
    window_ends_at: minute(40_000),
    max_attempts: 8,
    created_at: minute(1),
    updated_at: minute(1),
    ...(isOpen ? { due_action: 'attempt', next_attempt_at: minute(100) } : {}),
    ...columns,
  });
}

/** A merchant's report of the failed charge, as the payment holds its ids. */
export async function seedReport(
  db: Database,
  input: InvoiceOf & {
    readonly customerId: string;
    readonly pspCustomerId: string;
    readonly subscriptionId: string;
    readonly transactionId: string;
    readonly pspTransactionId: string;
    readonly success?: boolean;
  },
): Promise<void> {
  await insert(db, 'transactions', {
    merchant_id: input.merchantId,
    invoice_id: input.invoiceId,
    transaction_id: input.transactionId,
    psp_transaction_id: input.pspTransactionId,
    psp: 'sandbox',
    customer_id: input.customerId,
    subscription_id: input.subscriptionId,
    payment_method_id: 'pm_1',
    amount_minor: 1_000,
    currency: 'EUR',
    success: input.success ?? false,
    occurred_at: minute(0),
    detail: {},
    received_at: minute(1),
  });
  await insert(db, 'payment_methods', {
    merchant_id: input.merchantId,
    payment_method_id: `pm_of_${input.pspCustomerId}`,
    customer_id: input.customerId,
    psp_customer_id: input.pspCustomerId,
    state: 'active',
    created_at: minute(1),
    updated_at: minute(1),
  });
}

/** An attempt, and for one that reached the PSP its charge, event and delivery. */
export async function seedAttempt(
  db: Database,
  input: InvoiceOf & {
    readonly number: number;
    readonly state: 'succeeded' | 'declined' | 'unknown' | 'not_attempted';
    readonly sequence?: number;
    readonly delivery?: 'pending' | 'delivered' | 'exhausted';
  },
): Promise<void> {
  const { merchantId, invoiceId, number, state } = input;
  const attemptId = `att_${invoiceId}_${number}`;
  await insert(db, 'attempts', {
    merchant_id: merchantId,
    attempt_id: attemptId,
    invoice_id: invoiceId,
    number,
    state,
    check_answer: { retry: state !== 'not_attempted' },
    amount_minor: 1_000,
    currency: 'EUR',
    started_at: minute(number),
    ended_at: state === 'unknown' ? null : minute(number),
  });
  if (state === 'not_attempted') return;
  await insert(db, 'psp_transactions', {
    merchant_id: merchantId,
    attempt_id: attemptId,
    ordinal: 1,
    invoice_id: invoiceId,
    psp: 'sandbox',
    state,
    idempotency_key: attemptId,
    payment_method_id: 'pm_1',
    amount_minor: 1_000,
    currency: 'EUR',
    psp_transaction_id: state === 'unknown' ? null : `ch_${attemptId}`,
    sent_at: minute(number),
    settled_at: state === 'unknown' ? null : minute(number),
    // An unknown one waits for a person.
    look_ups: state === 'unknown' ? lookUpsOfLadder : 0,
    card_key: 'sandbox:pm_1',
    card_turn: null,
    network: 'visa',
    credential: 'pan',
    hard_decline: false,
  });
  if (input.sequence === undefined) return;
  const success = state === 'succeeded';
  await seedEvent(db, { ...input, attemptId, success, sequence: input.sequence });
}

async function seedEvent(
  db: Database,
  input: InvoiceOf & {
    readonly attemptId: string;
    readonly success: boolean;
    readonly sequence: number;
    readonly delivery?: 'pending' | 'delivered' | 'exhausted';
  },
): Promise<void> {
  const { merchantId, sequence, delivery = 'delivered' } = input;
  const eventId = `evt_${input.attemptId}`;
  const createdAt = minute(sequence);
  await insert(db, 'events', {
    merchant_id: merchantId,
    event_id: eventId,
    sequence,
    type: 'retry_result',
    invoice_id: input.invoiceId,
    attempt_id: input.attemptId,
    body: JSON.stringify({ amount_collected: 10, currency: 'EUR', success: input.success }),
    created_at: createdAt,
  });
  await insert(db, 'deliveries', {
    merchant_id: merchantId,
    event_id: eventId,
    state: delivery,
    tries: 1,
    window_started_at: createdAt,
    created_at: createdAt,
    delivered_at: delivery === 'delivered' ? createdAt : null,
    next_attempt_at: delivery === 'pending' ? minute(sequence + 720) : null,
    last_status: delivery === 'delivered' ? 200 : 500,
    last_error: delivery === 'delivered' ? null : 'server_error: 500',
  });
  await seedTry(db, { merchantId, eventId, number: 1, at: createdAt });
  const text = `
    insert into event_counters values ($1, $2)
    on conflict (merchant_id) do update
    set last_sequence = greatest(event_counters.last_sequence, $2)`;
  await db.pool.query(text, [merchantId, sequence]);
}

export async function seedTry(
  db: Database,
  input: { merchantId: string; eventId: string; number: number; at: Date },
): Promise<void> {
  await insert(db, 'delivery_tries', {
    merchant_id: input.merchantId,
    event_id: input.eventId,
    number: input.number,
    sent_at: input.at,
    status: 500,
    error: 'server_error: 500',
    duration_ms: 12,
  });
}

/** An event of a merchant's log, without its delivery. */
export async function seedLogged(
  db: Database,
  input: InvoiceOf & {
    readonly eventId: string;
    readonly sequence: number;
    readonly type: string;
    /** Of a result; an attempt that was seeded. */
    readonly attemptId?: string;
    readonly body: string;
    readonly at: Date;
  },
): Promise<void> {
  await insert(db, 'events', {
    merchant_id: input.merchantId,
    event_id: input.eventId,
    sequence: input.sequence,
    type: input.type,
    invoice_id: input.invoiceId,
    attempt_id: input.attemptId,
    body: input.body,
    created_at: input.at,
  });
}
