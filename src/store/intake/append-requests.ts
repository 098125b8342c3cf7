import { invariant } from '../../domain/errors.ts';
import type { NewRequest } from '../../recovery/intake-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * Commits a batch of requests to the log, and makes the payment of each failed event visible. The
 * payment waits unplanned until its request is applied. A receipt's UUID that is already there (the
 * same Idempotency-Key again) adds nothing.
 */
const append: Statement = {
  name: 'append_requests',
  text: `
    with input as (
      select * from unnest($1::text[], $2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[])
        as i (merchant_id, uuid, kind, body, received_at)
    ),
    payment as (
      select * from json_to_recordset($6::json) as p (
        merchant_id text, invoice_id text, customer_id text, psp_customer_id text,
        psp_invoice_id text, subscription_id text, transaction_id text, original_psp_transaction_id text, psp text,
        amount_minor bigint, currency text, custom jsonb, payment_method_ids text[],
        first_decline jsonb, failed_at timestamptz, window_ends_at timestamptz, max_attempts int,
        at timestamptz)
    ),
    visible as (
      insert into payments (merchant_id, invoice_id, customer_id, psp_customer_id,
        psp_invoice_id, subscription_id,
        transaction_id, original_psp_transaction_id, psp, amount_minor, currency, custom,
        payment_method_ids, first_decline, failed_at, window_ends_at, max_attempts, created_at, updated_at)
      select merchant_id, invoice_id, customer_id, psp_customer_id, psp_invoice_id, subscription_id,
        transaction_id, original_psp_transaction_id, psp, amount_minor, currency, custom,
        payment_method_ids, first_decline, failed_at, window_ends_at, max_attempts, at, at
      from payment
      order by merchant_id, invoice_id
      on conflict (merchant_id, invoice_id) do nothing
    )
    insert into requests (merchant_id, uuid, kind, body, received_at, next_attempt_at)
    select merchant_id, uuid, kind, body, received_at, received_at from input
    on conflict (merchant_id, uuid) do nothing
    returning merchant_id, uuid, sequence::text`,
};

const find: Statement = {
  name: 'find_request_sequence',
  text: 'select sequence::text from requests where merchant_id = $1 and uuid = $2',
};

export async function appendRequests(
  db: Queryable,
  requests: readonly NewRequest[],
): Promise<readonly bigint[]> {
  const rows = await db.query<{ merchant_id: string; uuid: string; sequence: string }>(append, [
    requests.map((request) => request.merchantId),
    requests.map((request) => request.uuid),
    requests.map((request) => request.kind),
    requests.map((request) => JSON.stringify(request.body)),
    requests.map((request) => request.receivedAt),
    JSON.stringify(requests.flatMap(toPaymentRow)),
  ]);
  const bySequence = new Map(rows.map((row) => [`${row.merchant_id} ${row.uuid}`, row.sequence]));
  return Promise.all(
    requests.map(async (request) => {
      const sequence = bySequence.get(`${request.merchantId} ${request.uuid}`);
      return sequence === undefined ? findSequence(db, request) : BigInt(sequence);
    }),
  );
}

async function findSequence(db: Queryable, request: NewRequest): Promise<bigint> {
  const [row] = await db.query<{ sequence: string }>(find, [request.merchantId, request.uuid]);
  invariant(row !== undefined, 'a request that was not inserted is there already');
  return BigInt(row.sequence);
}

function toPaymentRow(request: NewRequest): Readonly<Record<string, unknown>>[] {
  const { payment } = request;
  if (payment === undefined) return [];
  return [
    {
      merchant_id: request.merchantId,
      invoice_id: payment.invoiceId,
      customer_id: payment.customerId,
      psp_customer_id: payment.pspCustomerId,
      psp_invoice_id: payment.pspInvoiceId,
      subscription_id: payment.subscriptionId,
      transaction_id: payment.transactionId,
      original_psp_transaction_id: payment.originalPspTransactionId,
      psp: payment.psp,
      amount_minor: payment.amountMinor,
      currency: payment.currency,
      custom: payment.custom,
      payment_method_ids: payment.paymentMethodIds,
      first_decline: payment.firstDecline,
      failed_at: payment.failedAt,
      window_ends_at: payment.windowEndsAt,
      max_attempts: payment.maxAttempts,
      at: request.receivedAt,
    },
  ];
}
