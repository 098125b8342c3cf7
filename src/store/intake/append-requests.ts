import { type JoinPlan, joinReports } from '../../domain/debts/join-reports.ts';
import { invariant } from '../../domain/errors.ts';
import type { NewFailure, NewRequest } from '../../recovery/intake-ports.ts';
import { isContention, type Queryable, type Statement } from '../database.ts';
import { isOvertaken, nameRow } from '../debts/claim-names.ts';
import { findNames } from '../debts/find-names.ts';

/** The rows of the log, of the statement's `input`. */
const log = (reports: boolean) => `
    insert into requests (merchant_id, uuid, kind, body, received_at, next_attempt_at, channel,
      psp_invoice_id)
    select i.merchant_id, uuid, kind, body, received_at, received_at, channel, psp_invoice_id
    from input i ${reports ? 'cross join held where held.holds' : ''}
    on conflict (merchant_id, uuid) do nothing
    returning merchant_id, uuid, ${reports ? 'sequence' : 'sequence::text'}`;

/**
 * Commits a batch of requests to the log. The payment of each failed event that is of a new debt
 * becomes visible with it, and the names of its debt are claimed: all of the batch's, or nothing is
 * committed. The payment waits unplanned until its request is applied. A receipt's UUID that is
 * already there (the same Idempotency-Key again) adds nothing.
 */
const append = (reports: boolean): Statement => ({
  name: reports ? 'append_reports' : 'append_requests',
  text: `
    with input as (
      select * from unnest($1::text[], $2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[],
                           $6::text[], $7::text[])
        as i (merchant_id, uuid, kind, body, received_at, channel, psp_invoice_id)
    )
    ${reports ? `${debts}, logged as (${log(true)}) select merchant_id, uuid, sequence::text from logged` : log(false)}`,
});

/** Names are claimed in one order, so that batches beside each other do not deadlock. */
const debts = `,
    claimed as (
      insert into debt_identities (merchant_id, kind, value, invoice_id, channel, mark, spent,
        created_at)
      select * from json_to_recordset($8::json) as c (merchant_id text, kind text, value text,
        invoice_id text, channel text, mark text, spent boolean, created_at timestamptz)
      order by merchant_id, kind, value
      on conflict (merchant_id, kind, value) do nothing
      returning 1
    ),
    met as (
      update debt_identities d set spent = true
      from json_to_recordset($9::json) as s (merchant_id text, kind text, value text)
      where d.merchant_id = s.merchant_id and d.kind = s.kind and d.value = s.value and not d.spent
      returning 1
    ),
    held as materialized (
      select debt_claims_hold(
        (select count(*) from claimed) + (select count(*) from met),
        json_array_length($8::json) + json_array_length($9::json)) as holds
    ),
    visible as (
      insert into payments (merchant_id, invoice_id, customer_id, psp_customer_id,
        psp_invoice_id, psp_invoice_state, reported_by, subscription_id,
        transaction_id, original_psp_transaction_id, psp, amount_minor, currency, custom,
        payment_method_ids, first_decline, failed_at, window_ends_at, max_attempts, created_at, updated_at)
      select merchant_id, invoice_id, customer_id, psp_customer_id, psp_invoice_id,
        case when psp_invoice_id is null then 'unasked' else 'known' end, reported_by, subscription_id,
        transaction_id, original_psp_transaction_id, psp, amount_minor, currency, custom,
        payment_method_ids, first_decline, failed_at, window_ends_at, max_attempts, at, at
      from json_to_recordset($10::json) as p (
        merchant_id text, invoice_id text, customer_id text, psp_customer_id text,
        psp_invoice_id text, reported_by text, subscription_id text, transaction_id text,
        original_psp_transaction_id text, psp text,
        amount_minor bigint, currency text, custom jsonb, payment_method_ids text[],
        first_decline jsonb, failed_at timestamptz, window_ends_at timestamptz, max_attempts int,
        at timestamptz)
      cross join held where held.holds
      order by merchant_id, invoice_id
      on conflict (merchant_id, invoice_id) do nothing
    )`;

const appendPlain = append(false);
const appendReports = append(true);

const find: Statement = {
  name: 'find_request_sequence',
  text: 'select sequence::text from requests where merchant_id = $1 and uuid = $2',
};

/** Batches beside each other may claim a debt's names again and again; each turn one of them has them. */
const maxTurns = 20;

export async function appendRequests(
  db: Queryable,
  requests: readonly NewRequest[],
): Promise<readonly bigint[]> {
  const failures = requests.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) {
    return sequencesOf(db, requests, await db.query<AppendedRow>(appendPlain, columns(requests)));
  }
  for (let turn = 1; ; turn += 1) {
    const reports = failures.map(({ report }) => report);
    const plan = joinReports(reports, await findNames(db, reports));
    try {
      const values = [...columns(requests), ...debtColumns(failures, plan)];
      return await sequencesOf(db, requests, await db.query<AppendedRow>(appendReports, values));
    } catch (error) {
      if (turn === maxTurns || !(isOvertaken(error) || isContention(error))) throw error;
    }
  }
}

interface AppendedRow {
  readonly merchant_id: string;
  readonly uuid: string;
  readonly sequence: string;
}

function columns(requests: readonly NewRequest[]): readonly unknown[] {
  return [
    requests.map((request) => request.merchantId),
    requests.map((request) => request.uuid),
    requests.map((request) => request.kind),
    requests.map((request) => JSON.stringify(request.body)),
    requests.map((request) => request.receivedAt),
    requests.map((request) => request.channel ?? 'merchant'),
    requests.map((request) => request.pspInvoiceId ?? null),
  ];
}

function debtColumns(
  failures: readonly NewFailure[],
  { reports, claimed, spent }: JoinPlan,
): readonly unknown[] {
  const at = failures[0]?.receivedAt;
  const begun = failures.filter((_, index) => reports[index]?.isNew === true);
  return [
    JSON.stringify(claimed.map((name) => ({ ...nameRow(name), created_at: at }))),
    JSON.stringify(spent.map(nameRow)),
    JSON.stringify(begun.map(toPaymentRow)),
  ];
}

async function sequencesOf(
  db: Queryable,
  requests: readonly NewRequest[],
  rows: readonly AppendedRow[],
): Promise<readonly bigint[]> {
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

function toPaymentRow(failure: NewFailure): Readonly<Record<string, unknown>> {
  const { payment, report, receivedAt } = failure;
  return {
    merchant_id: report.merchantId,
    invoice_id: payment.invoiceId,
    customer_id: payment.customerId,
    psp_customer_id: payment.pspCustomerId,
    psp_invoice_id: report.pspInvoiceId,
    reported_by: report.channel,
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
    at: receivedAt,
  };
}
