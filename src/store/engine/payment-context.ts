import type { Decline } from '../../domain/declines/decline.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { AttemptState, PaymentState, StopReason } from '../../domain/states.ts';
import type { DecisionRecord } from '../../policy/plan.ts';
import type { OpenAttempt, OpenTransaction, PaymentContext } from '../../recovery/engine-ports.ts';
import { type CardRow, cardJson, toCardHistory } from '../cards/card-history.ts';

/**
 * Select list of a payment as the engine reads it. The tries and the methods come along as JSON: one
 * statement instead of three. Methods: the failed event's own, in its order, then those that an
 * update named; the removed ones are marked. Each is looked up by key, and a customer by one id after the
 * other: asked for at once, the planner would read all methods of the merchant while the table is small.
 */
export function contextColumns(p: string): string {
  return `${p}.merchant_id, ${p}.invoice_id, ${p}.customer_id, ${p}.psp_customer_id, ${p}.psp_invoice_id,
    ${p}.psp_invoice_state, ${p}.merchant_invoice_id,
    ${p}.subscription_id, ${p}.transaction_id, ${p}.original_psp_transaction_id, ${p}.psp,
    ${p}.amount_minor, ${p}.currency, ${p}.custom, ${p}.first_decline, ${p}.state,
    ${stopColumns(p)},
    ${p}.failed_at, ${p}.window_ends_at, ${p}.max_attempts, ${p}.postponements, ${p}.decision,
    ${p}.fence, ${p}.revision, ${p}.attempt_count, ${p}.frozen_at,
    case when ${p}.attempt_count = 0 then null else (
      select json_agg(json_build_object(
               'started_at', a.started_at, 'ended_at', a.ended_at,
               'succeeded', a.state = 'succeeded',
               'declines', (select json_agg(json_build_object(
                                     'payment_method_id', t.payment_method_id, 'decline', t.decline)
                                   order by t.ordinal)
                            from psp_transactions t
                            where t.merchant_id = a.merchant_id and t.attempt_id = a.attempt_id
                              and t.state = 'declined'))
             order by a.number)
      from recorded_attempts a
      where a.merchant_id = ${p}.merchant_id and a.invoice_id = ${p}.invoice_id
        and a.state in ('declined', 'succeeded')
    ) end as tries,
    (select json_agg(json_build_object('payment_method_id', m.id, 'renewed_at', m.renewed_at,
                                       'failed_first', m.position = 1, 'removed', m.removed, 'card', m.card)
                     order by m.position, m.renewed_at desc, m.id)
     from (
       select pm.id, pm.position, pm.signalled_at as renewed_at,
              pm.state is not distinct from 'removed' as removed,
              ${cardOf(p)} as card
       from (
         select own.id, own.position, ${methodColumns}
         from unnest(${p}.payment_method_ids) with ordinality as own (id, position)
         left join lateral (
           select * from payment_methods o
           where o.merchant_id = ${p}.merchant_id and o.payment_method_id = own.id
           limit 1
         ) o on true
         union all
         select o.payment_method_id, 1000, ${methodColumns}
         from (
           select * from payment_methods o
           where o.merchant_id = ${p}.merchant_id and o.customer_id = ${p}.customer_id
           union all
           select * from payment_methods o
           where o.merchant_id = ${p}.merchant_id and o.psp_customer_id = ${p}.psp_customer_id
             and o.customer_id is distinct from ${p}.customer_id
         ) o
         where o.signalled_at is not null and o.payment_method_id <> all (${p}.payment_method_ids)
         -- The card is read in one place for both: what a plan begins with costs more than a look-up.
         offset 0
       ) pm
     ) m) as methods`;
}

/** What is asked of a method `o`, for itself and for its card. */
const methodColumns = `o.state, o.signalled_at, o.scheme, o.fingerprint, o.fingerprint_at, o.credential_form,
                o.issuer_country, o.acquirer_country`;

/**
 * The stop that was asked for, or that follows from another recovery of the same debt: this one was
 * joined to it, or that one, joined to this, was under way and has recovered the debt.
 */
function stopColumns(p: string): string {
  return `coalesce(${p}.stop_reason, case
      when ${p}.joined_to is not null then 'joined'
      when exists (select from payments j
                   where j.merchant_id = ${p}.merchant_id and j.joined_to = ${p}.invoice_id
                     and j.state = 'recovered'
                   offset 0) then 'recovered_elsewhere'
    end) as stop_reason,
    coalesce(${p}.stop_detail, 'the same debt as invoice ' || ${p}.joined_to) as stop_detail`;
}

/** What counts when a payment is planned: it is planned no sooner than it failed. */
function cardOf(p: string): string {
  return cardJson({
    m: 'pm',
    merchantId: `${p}.merchant_id`,
    psp: `${p}.psp`,
    paymentMethodId: 'pm.id',
    invoiceId: `${p}.invoice_id`,
    at: `${p}.failed_at`,
  });
}

/** JSON of an open attempt of alias `a`, with its charges. */
export function openAttemptJson(a: string): string {
  return `json_build_object(
    'attempt_id', ${a}.attempt_id, 'state', ${a}.state, 'started_at', ${a}.started_at,
    'decision', ${a}.decision, 'check_answer', ${a}.check_answer,
    'transactions', (
      select json_agg(json_build_object(
               'ordinal', t.ordinal, 'state', t.state, 'idempotency_key', t.idempotency_key,
               'payment_method_id', t.payment_method_id, 'amount_minor', t.amount_minor,
               'currency', t.currency, 'psp_transaction_id', t.psp_transaction_id,
               'network_transaction_id', t.network_transaction_id, 'decline', t.decline,
               'sent_at', t.sent_at, 'connection_version', t.connection_version)
             order by t.ordinal)
      from psp_transactions t
      where t.merchant_id = ${a}.merchant_id and t.attempt_id = ${a}.attempt_id))`;
}

export interface ContextRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly psp_customer_id: string | null;
  readonly psp_invoice_id: string | null;
  readonly psp_invoice_state: PaymentContext['pspInvoiceState'];
  readonly merchant_invoice_id: string | null;
  readonly subscription_id: string | null;
  readonly transaction_id: string;
  readonly original_psp_transaction_id: string;
  readonly psp: Psp;
  readonly amount_minor: number;
  readonly currency: string;
  readonly custom: JsonObject | null;
  readonly first_decline: Decline;
  readonly state: PaymentState;
  readonly stop_reason: StopReason | null;
  readonly stop_detail: string | null;
  readonly failed_at: Date;
  readonly window_ends_at: Date;
  readonly max_attempts: number;
  readonly postponements: number;
  readonly decision: DecisionRecord | null;
  readonly fence: number;
  readonly revision: number;
  readonly attempt_count: number;
  readonly frozen_at: Date | null;
  readonly tries:
    | readonly {
        started_at: string;
        ended_at: string;
        succeeded: boolean;
        declines: readonly { payment_method_id: string; decline: Decline }[] | null;
      }[]
    | null;
  readonly methods:
    | readonly {
        payment_method_id: string;
        renewed_at: string | null;
        failed_first: boolean;
        removed: boolean;
        card: CardRow;
      }[]
    | null;
}

export interface OpenAttemptRow {
  readonly attempt_id: string;
  readonly state: AttemptState;
  readonly started_at: string;
  readonly decision: DecisionRecord | null;
  readonly check_answer: JsonObject | null;
  readonly transactions: readonly OpenTransactionRow[] | null;
}

export interface OpenTransactionRow {
  readonly ordinal: number;
  readonly state: OpenTransaction['state'];
  readonly idempotency_key: string;
  readonly payment_method_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly psp_transaction_id: string | null;
  readonly network_transaction_id: string | null;
  readonly decline: Decline | null;
  readonly sent_at: string;
  readonly connection_version: number;
}

export function toContext(row: ContextRow): PaymentContext {
  const methods = row.methods ?? [];
  return {
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    transactionId: row.transaction_id,
    originalPspTransactionId: row.original_psp_transaction_id,
    psp: row.psp,
    amountMinor: row.amount_minor,
    currency: row.currency,
    firstDecline: row.first_decline,
    state: row.state,
    failedAt: row.failed_at,
    windowEndsAt: row.window_ends_at,
    maxAttempts: row.max_attempts,
    postponements: row.postponements,
    fence: row.fence,
    revision: row.revision,
    ...present({
      pspCustomerId: row.psp_customer_id ?? undefined,
      pspInvoiceId: row.psp_invoice_id ?? undefined,
    }),
    pspInvoiceState: row.psp_invoice_state,
    ...present({
      merchantInvoiceId: row.merchant_invoice_id ?? undefined,
      subscriptionId: row.subscription_id ?? undefined,
      custom: row.custom ?? undefined,
      stopReason: row.stop_reason ?? undefined,
      stopDetail: row.stop_detail ?? undefined,
      decision: row.decision ?? undefined,
      frozenAt: row.frozen_at ?? undefined,
    }),
    methods: methods
      .filter((method) => !method.removed)
      .map((method) => ({
        paymentMethodId: method.payment_method_id,
        failedFirst: method.failed_first,
        card: toCardHistory(method.card),
        ...(method.renewed_at !== null && { renewedAt: new Date(method.renewed_at) }),
      })),
    removedMethodIds: methods
      .filter((method) => method.removed)
      .map((method) => method.payment_method_id),
    ...(row.tries?.some((item) => item.succeeded) === true && { isPaid: true }),
    tries: (row.tries ?? []).map((item) => ({
      startedAt: new Date(item.started_at),
      endedAt: new Date(item.ended_at),
      declines: (item.declines ?? []).map((decline) => ({
        paymentMethodId: decline.payment_method_id,
        decline: decline.decline,
      })),
    })),
  };
}

export function toOpenAttempt(row: OpenAttemptRow): OpenAttempt {
  return {
    attemptId: row.attempt_id,
    state: row.state,
    startedAt: new Date(row.started_at),
    ...present({ decision: row.decision ?? undefined, check: row.check_answer ?? undefined }),
    transactions: (row.transactions ?? []).map(toOpenTransaction),
  };
}

function toOpenTransaction(row: OpenTransactionRow): OpenTransaction {
  return {
    ordinal: row.ordinal,
    state: row.state,
    idempotencyKey: row.idempotency_key,
    paymentMethodId: row.payment_method_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    sentAt: new Date(row.sent_at),
    connectionVersion: row.connection_version,
    ...present({
      pspTransactionId: row.psp_transaction_id ?? undefined,
      networkTransactionId: row.network_transaction_id ?? undefined,
      decline: row.decline ?? undefined,
    }),
  };
}
