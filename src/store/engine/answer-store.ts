import { invariant } from '../../domain/errors.ts';
import { isHardDecline, keptAdvice } from '../../domain/network-rules/hard-declines.ts';
import { present } from '../../domain/present.ts';
import type { AccountMode, Psp } from '../../domain/psps.ts';
import type { Random } from '../../domain/random.ts';
import type {
  AnsweredCharge,
  AnswerStore,
  LateAnswer,
} from '../../recovery/engine/answers/answer-ports.ts';
import { restorePayment } from '../archive/restore-payment.ts';
import { readCards } from '../cards/read-cards.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { lockDebt } from '../incidents/freeze-debt.ts';
import { openIncident } from '../incidents/open-incident.ts';
import { type OpenAttemptRow, openAttemptJson, toOpenAttempt } from './payment-context.ts';
import { writeEvents } from './write-events.ts';

export function createAnswerStore(deps: {
  readonly db: Database;
  readonly random: Random;
}): AnswerStore {
  const { db } = deps;
  return {
    find: (input) => findAnswered(db, input),
    record: (answer) => db.transaction((tx) => recordAnswer(deps, tx, answer)),
  };
}

/** SQL that says whether another attempt of the invoice is open. */
function isBeside(of: {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly attemptId: string;
}): string {
  return `exists (select from all_attempts b
              where b.merchant_id = ${of.merchantId} and b.invoice_id = ${of.invoiceId}
                and b.attempt_id <> ${of.attemptId}
                and b.state in ('checking', 'charging', 'unknown'))`;
}

const find: Statement = {
  name: 'find_answered_charge',
  text: `
    with found as (
      (select l.* from psp_transactions l
       where l.merchant_id = $1 and l.idempotency_key = $2 and l.state <> 'not_made')
      union all
      (select n.* from psp_transactions n
       where n.merchant_id = $1 and n.idempotency_key = $2 and n.state = 'not_made'
       order by n.sent_at desc, n.attempt_id desc, n.ordinal desc limit 1)
    )
    select t.invoice_id, t.psp, t.ordinal,
      (select c.mode from psp_connections c
       where c.merchant_id = t.merchant_id and c.psp = t.psp
         and c.version = t.connection_version) as mode, ${openAttemptJson('a')} as attempt,
      (select s.idempotency_key from psp_transactions s
       where s.merchant_id = t.merchant_id and s.invoice_id = t.invoice_id
         and s.state = 'succeeded' and not s.contradicts
         and s.idempotency_key <> t.idempotency_key) as other_success,
      ${isBeside({ merchantId: 't.merchant_id', invoiceId: 't.invoice_id', attemptId: 't.attempt_id' })} as is_beside,
      exists (select from events e
              where e.merchant_id = t.merchant_id and e.attempt_id = t.attempt_id)
        or (a.state in ('succeeded', 'declined')
            and exists (select from payments p
                        where p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id
                          and p.archived_at is not null)) as is_told
    from (select * from found order by (state = 'not_made') limit 1) t
    join all_attempts a on a.merchant_id = t.merchant_id and a.attempt_id = t.attempt_id`,
};

interface AnsweredRow {
  readonly invoice_id: string;
  readonly psp: Psp;
  readonly ordinal: number;
  readonly mode: AccountMode | null;
  readonly attempt: OpenAttemptRow;
  readonly other_success: string | null;
  readonly is_beside: boolean;
  readonly is_told: boolean;
}

async function findAnswered(
  db: Queryable,
  input: { readonly merchantId: string; readonly idempotencyKey: string },
): Promise<AnsweredCharge | undefined> {
  const { merchantId, idempotencyKey } = input;
  const [row] = await db.query<AnsweredRow>(find, [merchantId, idempotencyKey]);
  if (row === undefined) return undefined;
  const attempt = toOpenAttempt(row.attempt);
  const transaction = attempt.transactions.find((item) => item.ordinal === row.ordinal);
  invariant(transaction !== undefined, 'a charge is among those of its attempt');
  return {
    merchantId,
    invoiceId: row.invoice_id,
    psp: row.psp,
    attempt,
    transaction,
    isBeside: row.is_beside,
    isTold: row.is_told,
    ...((row.mode === 'live' || row.mode === 'test') && { isLive: row.mode === 'live' }),
    ...present({ otherSuccess: row.other_success ?? undefined }),
  };
}

/** The payment first, as everywhere; under its lock no step of the engine moves the charge. */
const lock: Statement = {
  name: 'lock_answered_charge',
  text: `
    with held as (
      select * from (
        select merchant_id, invoice_id from payments
        where merchant_id = $1 and invoice_id = $2 and fence = $3 and revision = $4
        for update
      ) locked offset 0
    )
    select t.state from held
    join psp_transactions t using (merchant_id, invoice_id)
    where t.attempt_id = $5 and t.ordinal = $6 and t.state = $7`,
};

/** Asked again under the lock: an attempt that was checking has perhaps begun its charge since. */
const beside: Statement = {
  name: 'find_attempt_beside',
  text: `select ${isBeside({ merchantId: '$1', invoiceId: '$2', attemptId: '$3' })} as is_beside`,
};

const charge: Statement = {
  name: 'record_late_charge',
  text: `
    update psp_transactions
    set state = $4, psp_transaction_id = $5, network_transaction_id = $6, decline = $7::jsonb,
        reason = $8, contradicts = contradicts or $9, next_attempt_at = null, lease_until = null,
        set_aside_at = null, set_aside_reason = null,
        advice_code = case when state = $4 then advice_code end,
        hard_decline = case when state = $4 then hard_decline end,
        settled_at = case when $4 = 'unknown' then null else coalesce(settled_at, $10) end
    where merchant_id = $1 and attempt_id = $2 and ordinal = $3`,
};

/** An attempt that its first charge stands for, or carries, gets a row of its own, which the answer may change. */
const open: Statement = {
  name: 'open_answered_attempt',
  text: `
    with carried as (
      select merchant_id, attempt_id, invoice_id, number, state, decision, check_answer, amount_minor, currency,
             started_at, ended_at
      from all_attempts where merchant_id = $1 and attempt_id = $2
    ),
    opened as (
      insert into attempts (merchant_id, attempt_id, invoice_id, number, state, decision, check_answer, amount_minor,
        currency, started_at, ended_at)
      select * from carried
      on conflict (merchant_id, attempt_id) do nothing
    )
    update psp_transactions
    set attempt_started_at = null, check_answer = null, attempt_number = null, attempt_decision = null
    where merchant_id = $1 and attempt_id = $2 and attempt_started_at is not null`,
};

const attempt: Statement = {
  name: 'record_late_attempt',
  text: `
    update attempts
    set state = $3, contradicts = contradicts or $4,
        ended_at = case when $3 = 'unknown' then null else coalesce(ended_at, $5) end
    where merchant_id = $1 and attempt_id = $2`,
};

/** Whoever holds the payment holds it no more: what they decide next did not know of this. */
const move: Statement = {
  name: 'move_answered_payment',
  text: `
    update payments p
    set state = $3, stop_reason = $4, stop_detail = $5, attempt_count = $6, postponements = $7,
        decision = coalesce($8::jsonb, p.decision), due_action = $9,
        next_attempt_at = case when p.frozen_at is null then $10::timestamptz end,
        lease_until = null, fence = p.fence + 1, updated_at = $11, failures = 0,
        set_aside_at = null, set_aside_reason = null
    where p.merchant_id = $1 and p.invoice_id = $2`,
};

const touch: Statement = {
  name: 'touch_answered_payment',
  text: `
    update payments p
    set attempt_count = p.attempt_count + case when $3 then 1 else 0 end,
        stop_reason = case when $4 then 'recovered_elsewhere' else p.stop_reason end,
        stop_detail = case when $4 then null else p.stop_detail end,
        lease_until = null, fence = p.fence + 1, revision = p.revision + 1, updated_at = $5
    where p.merchant_id = $1 and p.invoice_id = $2`,
};

/**
 * A place in the card's history that was given back, or never taken, is taken; who judged the card without it, or with
 * it under the name that it had, judges again. A place beside the charge, from before charges were their cards' histories, goes.
 */
const count: Statement = {
  name: 'count_late_charge',
  text: `
    with named as materialized (
      select $5::text as card_key
      union
      select card_key from psp_transactions
      where merchant_id = $1 and attempt_id = $3 and ordinal = $4 and card_key is not null
    ),
    card as (
      insert into cards as c (merchant_id, card_key, version) select $1, card_key, 1 from named
      order by 2
      on conflict (merchant_id, card_key) do update set version = c.version + 1
    ),
    beside as (
      delete from card_attempts where merchant_id = $1 and charge_ref = $2 and origin = 'own'
    )
    update psp_transactions
    -- The other card's turns are others.
    set card_turn = case when card_key = $5 then card_turn end,
        card_key = $5, network = $6, credential = $7, acquirer_country = $8, advice_code = $9, hard_decline = $10
    where merchant_id = $1 and attempt_id = $3 and ordinal = $4`,
};

async function recordAnswer(
  deps: { readonly random: Random },
  tx: Queryable,
  answer: LateAnswer,
): Promise<'recorded' | 'changed'> {
  const { merchantId, invoiceId, at, payment } = answer;
  const own = answer.charge;
  const place = [own.attempt.attemptId, own.transaction.ordinal, own.transaction.state];
  const values = [merchantId, invoiceId, answer.fence, answer.revision, ...place];
  if (answer.incident !== undefined) await lockDebt(tx, answer);
  const held = await tx.query(lock, values);
  if (held.length === 0) return 'changed';
  const keys = [merchantId, invoiceId, own.attempt.attemptId];
  const [found] = await tx.query<{ is_beside: boolean }>(beside, keys);
  if (found?.is_beside !== own.isBeside) return 'changed';
  await restorePayment(tx, { merchantId, invoiceId, at });
  await tx.query(open, [merchantId, own.attempt.attemptId]);
  await recordCharge(tx, answer);
  if (answer.attempt !== undefined) {
    const { attemptId, state, contradicts = false } = answer.attempt;
    await tx.query(attempt, [merchantId, attemptId, state, contradicts, at]);
  }
  if (payment !== undefined) {
    await tx.query(move, [
      merchantId,
      invoiceId,
      payment.state,
      payment.stopReason,
      payment.stopDetail,
      payment.attemptCount,
      payment.postponements,
      payment.decision === undefined ? undefined : JSON.stringify(payment.decision),
      payment.dueAction,
      payment.nextAttemptAt,
      at,
    ]);
  } else {
    const { isTry = false, stops = false } = answer;
    await tx.query(touch, [merchantId, invoiceId, isTry, stops, at]);
  }
  await writeEvents(tx, { merchantId, invoiceId, events: answer.events, at });
  if (answer.incident !== undefined) await openIncident(deps, tx, answer.incident);
  return 'recorded';
}

async function recordCharge(tx: Queryable, answer: LateAnswer): Promise<void> {
  const { merchantId, invoiceId, at, transaction } = answer;
  if (transaction === undefined) return;
  const { attemptId, ordinal, state, decline } = transaction;
  await tx.query(charge, [
    merchantId,
    attemptId,
    ordinal,
    state,
    transaction.pspTransactionId,
    transaction.networkTransactionId,
    decline === undefined ? undefined : JSON.stringify(decline),
    transaction.reason,
    transaction.contradicts ?? false,
    at,
  ]);
  const { transaction: before, psp } = answer.charge;
  if (state === before.state || (state !== 'succeeded' && state !== 'declined')) return;
  const { paymentMethodId, sentAt } = before;
  const [card] = await readCards(tx, [{ merchantId, invoiceId, psp, paymentMethodId, at: sentAt }]);
  invariant(card !== undefined, 'every charge that is asked for has a card');
  await tx.query(count, [
    merchantId,
    before.idempotencyKey,
    attemptId,
    ordinal,
    card.cardKey,
    card.facts.network,
    card.facts.credential,
    card.facts.acquirerCountry,
    decline && keptAdvice(decline)?.slice(0, 64),
    decline !== undefined && isHardDecline(decline),
  ]);
}
