import { isHardDecline, keptAdvice } from '../../domain/network-rules/hard-declines.ts';
import {
  firstDeliveryFence,
  type Outcome,
  type RecordOutcome,
} from '../../recovery/engine-ports.ts';
import { cardKey } from '../cards/card-history.ts';
import type { Queryable, Statement } from '../database.ts';
import { nextNumber } from './attempt-number.ts';
import { takersOf } from './takers-of.ts';

/** What the card of a charge is called by now, which began under its method's id perhaps. */
const nameNow = cardKey({ m: 'm', psp: 'a.acceptor', paymentMethodId: 'a.payment_method_id' });

/**
 * Records everything that one step changed, for a batch of payments in one transaction: the charge,
 * the attempt, the payment's next state, its events with their sequence numbers, and their
 * deliveries. A payment whose lease was lost, whose attempt has ended already, or that was changed
 * from outside since it was read, is left alone and reported. Of several steps of one payment in a
 * batch the first is taken; the others were decided without knowing of it.
 *
 * The card's history learns the charge's outcome in the same transaction: a charge that was never
 * made gives its place back, an unknown one keeps it. A decline that may forbid the card makes every
 * charge that was judged without knowing of it be judged again.
 *
 * Open rows are told by the states that they are not in, and parts are asked for keys rather than
 * joined, for the reasons given at begin_charges.
 */
const record: Statement = {
  name: 'record_outcomes',
  plans: 'kept',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as i (
        n int, merchant_id text, invoice_id text, fence int, revision int, at timestamptz,
        attempt_id text, attempt_state text, check_answer jsonb, started_at timestamptz,
        attempt_amount_minor bigint, attempt_currency text,
        ordinal int, tx_state text, psp_transaction_id text, network_transaction_id text,
        decline jsonb, reason text, look_up_at timestamptz, is_hard_decline boolean, advice text,
        state text, stop_reason text, stop_detail text, attempt_count int, postponements int,
        decision jsonb, due_action text, next_attempt_at timestamptz, lease_until timestamptz,
        set_aside text,
        take_over boolean)
    ),
    -- The locks of all that follows, in one order: batches beside each other do not deadlock. A
    -- payment that has ended is not held, and so counts as a lease that was lost.
    held as (
      select h.* from (select distinct merchant_id, invoice_id from input order by 1, 2) k
      cross join lateral (
        select p.merchant_id, p.invoice_id, p.fence, p.revision, p.decision
        from payments p
        where p.merchant_id = k.merchant_id and p.invoice_id = k.invoice_id
          and p.state not in ('recovered', 'stopped', 'exhausted')
        for update
      ) h
    ),
    -- The fence says who holds the payment, revision what was known of it; the first step of a payment
    -- in the batch is taken, since the second was decided without it. An attempt that has ended was
    -- ended by somebody else.
    judged as (
      select i.*, h.decision as planned,
             case
               when h.fence is distinct from i.fence then 'lease_lost'
               when h.revision <> i.revision or i.turn > 1 then 'changed'
               when c.attempt_number is not null
                 or exists (select from attempts a
                            where a.merchant_id = i.merchant_id and a.attempt_id = i.attempt_id
                              and a.state not in ('checking', 'charging', 'unknown')
                            offset 0)
                 then 'lease_lost'
               else 'recorded'
             end as outcome,
             -- Its first charge ends it, as it ends itself.
             coalesce(c.ordinal = i.ordinal and i.attempt_state = i.tx_state
               and i.tx_state in ('succeeded', 'declined'), false) as is_carried
      from (
        select *, row_number() over (partition by merchant_id, invoice_id, fence order by n) as turn
        from input
      ) i
      left join held h on h.merchant_id = i.merchant_id and h.invoice_id = i.invoice_id
      -- The charge that stands for the attempt, or carries it.
      left join lateral (
        select t.ordinal, t.attempt_number from psp_transactions t
        where t.merchant_id = i.merchant_id and t.attempt_id = i.attempt_id
          and t.attempt_started_at is not null
        limit 1
      ) c on true
    ),
    -- All that follows is of these alone, so a payment that was judged otherwise is not touched at all.
    ready as materialized (
      select r.*, case when r.attempt_state is not null then ${nextNumber('r')} end as number
      from judged r where r.outcome = 'recorded'
    ),
    -- An attempt that its first charge does not carry is written when that has ended, or when it ends without one; then
    -- once more with each further method. The merchant's answer stays where the step brings none of its own.
    tried as materialized (
      select r.merchant_id, r.attempt_id, r.invoice_id, r.number, r.attempt_state,
             r.planned, r.check_answer, r.attempt_amount_minor, r.attempt_currency, r.started_at,
             case when r.attempt_state in ('charging', 'unknown') then null else r.at end as ended_at
      from ready r
      where r.attempt_state is not null and not r.is_carried
    ),
    attempted as (
      insert into attempts as a (merchant_id, attempt_id, invoice_id, number, state, decision,
        check_answer, amount_minor, currency, started_at, ended_at)
      select merchant_id, attempt_id, invoice_id, number, attempt_state, planned, check_answer,
             attempt_amount_minor, attempt_currency, started_at, ended_at
      from tried
      on conflict (merchant_id, attempt_id) do update
      set state = excluded.state, check_answer = coalesce(excluded.check_answer, a.check_answer),
          ended_at = excluded.ended_at
    ),
    -- settled_at stays empty of an unknown charge: it is looked up at next_attempt_at instead.
    charges as (
      update psp_transactions t
      set state = r.tx_state, psp_transaction_id = r.psp_transaction_id,
          network_transaction_id = r.network_transaction_id, decline = r.decline, reason = r.reason,
          settled_at = case when r.tx_state = 'unknown' then null else r.at end,
          next_attempt_at = r.look_up_at, lease_until = null,
          set_aside_at = null, set_aside_reason = null,
          -- Cut to what the column takes: a PSP may send anything.
          advice_code = left(r.advice, 64), hard_decline = r.is_hard_decline,
          attempt_started_at = case when r.is_carried then t.attempt_started_at end,
          check_answer = case when r.is_carried then coalesce(r.check_answer, t.check_answer) end,
          attempt_number = case when r.is_carried then r.number end,
          attempt_decision = case when r.is_carried then r.planned end
      from ready r
      where r.tx_state is not null and t.merchant_id = r.merchant_id
        and t.attempt_id = r.attempt_id and t.ordinal = r.ordinal
      returning t.merchant_id, t.idempotency_key, t.state, t.decline, t.psp, t.payment_method_id, t.card_key,
        t.advice_code, t.hard_decline
    ),
    -- A charge that was never made costs no fee.
    unowed as (
      delete from network_fees f using charges t
      where f.merchant_id = t.merchant_id and f.charge_ref = t.idempotency_key
        and t.state = 'not_made'
    ),
    -- Of a charge that began before charges were their cards' histories, the place beside it: given back if it was
    -- never made, else with its outcome.
    given_back as (
      delete from card_attempts c using charges t
      where t.card_key is null and c.merchant_id = t.merchant_id and c.charge_ref = t.idempotency_key
        and t.state = 'not_made'
    ),
    answered_beside as (
      update card_attempts c
      set outcome = case when t.state = 'succeeded' then 'approved' else 'declined' end,
          network_code = left(t.decline ->> 'networkCode', 64),
          advice_code = t.advice_code, hard_decline = t.hard_decline
      from charges t
      where t.card_key is null and c.merchant_id = t.merchant_id and c.charge_ref = t.idempotency_key
        and t.state in ('succeeded', 'declined')
      returning c.merchant_id, c.card_key, c.acceptor, c.payment_method_id, c.hard_decline
    ),
    answered as (
      select * from answered_beside
      union all
      select merchant_id, card_key, psp, payment_method_id, hard_decline from charges
      where card_key is not null
    ),
    -- Under both names, the one it was counted under and the one it has by now: whoever judged by
    -- either history has to judge again. In one order, as cards are locked everywhere.
    named as materialized (
      select distinct a.merchant_id, k.card_key
      from answered a
      cross join lateral (
        select a.card_key
        union all
        select ${nameNow}
        from payment_methods m
        where m.merchant_id = a.merchant_id and m.payment_method_id = a.payment_method_id
      ) k
      where a.hard_decline
    ),
    forbidden as (
      insert into cards as k (merchant_id, card_key, version)
      select merchant_id, card_key, 1 from named
      order by 1, 2
      on conflict (merchant_id, card_key) do update set version = k.version + 1
      returning 1
    ),
    -- take_over raises the fence: whoever held the payment writes nothing more. A frozen payment gets no
    -- due time, whatever the step says: its incident is a person's to decide. A step that brings no
    -- decision leaves the one by which the payment was planned, for whoever asks why it was tried.
    moved as (
      update payments p
      set state = r.state, stop_reason = r.stop_reason, stop_detail = r.stop_detail,
          attempt_count = r.attempt_count, postponements = r.postponements,
          decision = coalesce(r.decision, p.decision), due_action = r.due_action,
          next_attempt_at = case when p.frozen_at is null then r.next_attempt_at end,
          lease_until = case when p.frozen_at is null then r.lease_until end, updated_at = r.at,
          failures = 0, set_aside_reason = r.set_aside,
          set_aside_at = case when r.set_aside is not null then r.at end,
          fence = p.fence + case when r.take_over then 1 else 0 end
      from ready r
      where p.merchant_id = r.merchant_id and p.invoice_id = r.invoice_id
    ),
    -- Positions count per merchant over the batch, so that numbers follow the order of the steps.
    new_events as (
      select e.merchant_id, e.invoice_id, e.at, e.event_id, e.type, e.attempt_id, e.body,
             e.send_lease_until,
             row_number() over (partition by e.merchant_id order by e.n, e.position) as position,
             count(*) over (partition by e.merchant_id) as of_merchant
      from json_to_recordset($2::json) as e (
        n int, position int, merchant_id text, invoice_id text, at timestamptz, event_id text,
        type text, attempt_id text, body text, send_lease_until timestamptz)
      where (e.n in (select n from ready)) is true
    ),
    -- One update per merchant gives all its numbers: without gaps, in the order of commits. Cards are asked for here, so
    -- that they are locked before the merchant's counter, as late answers lock them.
    counted as (
      insert into event_counters as c (merchant_id, last_sequence)
      select merchant_id, count(*) from new_events
      where (select count(*) from forbidden) >= 0
      group by merchant_id order by merchant_id
      on conflict (merchant_id) do update set last_sequence = c.last_sequence + excluded.last_sequence
      returning merchant_id, last_sequence
    ),
    written as (
      insert into events (merchant_id, event_id, sequence, type, invoice_id, attempt_id, body, created_at)
      select e.merchant_id, e.event_id, c.last_sequence - e.of_merchant + e.position,
             e.type, e.invoice_id, e.attempt_id, e.body, e.at
      from new_events e join counted c using (merchant_id)
    ),
    -- With the event, or not at all: no event is without its delivery. Whoever sends it at once has it
    -- already, under a lease like any other.
    queued as (
      insert into deliveries (merchant_id, event_id, next_attempt_at, created_at, lease_until, fence)
      select merchant_id, event_id, at, at, send_lease_until,
             case when send_lease_until is null then 0 else ${firstDeliveryFence} end
      from new_events
    ),
    taken as materialized (
      select e.merchant_id, e.event_id, n.endpoint_id, e.at
      from new_events e cross join lateral ${takersOf('e')}
    ),
    queued_further as (
      insert into endpoint_deliveries (merchant_id, event_id, endpoint_id, next_attempt_at, created_at)
      select merchant_id, event_id, endpoint_id, at, at from taken
    )
    select outcome from judged order by n`,
};

export async function recordOutcomes(
  db: Queryable,
  outcomes: readonly Outcome[],
): Promise<readonly RecordOutcome[]> {
  const rows = await db.query<{ outcome: RecordOutcome }>(record, [
    JSON.stringify(outcomes.map(toInput)),
    JSON.stringify(outcomes.flatMap(toEvents)),
  ]);
  return rows.map((row) => row.outcome);
}

/** One row of the statement's input; a part that is absent stays null there. */
function toInput(outcome: Outcome, n: number): Readonly<Record<string, unknown>> {
  const { payment, attempt, transaction } = outcome;
  return {
    n,
    merchant_id: outcome.merchantId,
    invoice_id: outcome.invoiceId,
    fence: outcome.fence,
    revision: outcome.revision,
    at: outcome.at,
    attempt_id: attempt?.attemptId ?? transaction?.attemptId,
    attempt_state: attempt?.state,
    check_answer: attempt?.check,
    started_at: attempt?.startedAt,
    attempt_amount_minor: attempt?.amountMinor,
    attempt_currency: attempt?.currency,
    ordinal: transaction?.ordinal,
    tx_state: transaction?.state,
    psp_transaction_id: transaction?.pspTransactionId,
    network_transaction_id: transaction?.networkTransactionId,
    decline: transaction?.decline,
    reason: transaction?.reason,
    look_up_at: transaction?.lookUpAt,
    is_hard_decline: transaction?.decline !== undefined && isHardDecline(transaction.decline),
    advice: transaction?.decline && keptAdvice(transaction.decline),
    state: payment.state,
    stop_reason: payment.stopReason,
    stop_detail: payment.stopDetail,
    attempt_count: payment.attemptCount,
    postponements: payment.postponements,
    decision: payment.decision,
    due_action: payment.dueAction,
    next_attempt_at: payment.nextAttemptAt,
    lease_until: payment.leaseUntil,
    set_aside: payment.setAside,
    take_over: outcome.takeOver ?? false,
  };
}

/** The events of one outcome, apart from it: what is nested would be parsed twice. */
function toEvents(outcome: Outcome, n: number): readonly Readonly<Record<string, unknown>>[] {
  return outcome.events.map((event, position) => ({
    n,
    position,
    merchant_id: outcome.merchantId,
    invoice_id: outcome.invoiceId,
    at: outcome.at,
    event_id: event.eventId,
    type: event.type,
    attempt_id: event.attemptId,
    body: event.body,
    send_lease_until: outcome.sendLeaseUntil,
  }));
}
