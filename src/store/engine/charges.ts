import { invariant } from '../../domain/errors.ts';
import type { Judgement } from '../../domain/network-rules/judge-charge.ts';
import type { BeginCharge, BeginChargeOutcome, CardHistory } from '../../recovery/engine-ports.ts';
import type { ReadCard } from '../cards/card-history.ts';
import { isDisputed } from '../cards/disputed.ts';
import { readCards } from '../cards/read-cards.ts';
import type { Queryable, Statement } from '../database.ts';
import { nextNumber } from './attempt-number.ts';
import { judgedRow, judgeOnCard, oneOfEachCard } from './judged-charge.ts';

/**
 * Of a row `r`: whether a charge carries its attempt, which so has ended. Not by the number that it carries, of which there
 * is an index: the planner would read all of that while it is small.
 */
const isCarried = `exists (
          select from psp_transactions t
          where t.merchant_id = r.merchant_id and t.attempt_id = r.attempt_id
            and t.attempt_started_at is not null and t.state <> 'sending'
          offset 0)`;

/**
 * Writes each charge as `sending` before its PSP is called, provided that the worker still holds the
 * payment, nobody asked for a stop, no incident froze it, nobody disputes the card and its customer has not
 * removed it. The payment rows are locked in one order, so that batches
 * running beside each other do not deadlock; a stop waits for this transaction or is seen by it.
 *
 * The charge takes its place in the card's history in the same transaction, by compare-and-set on the
 * card's version and last turn: one that was judged on an older history is not begun but answered `card_changed`.
 * Payments are locked before cards, here and wherever both are. What a rule forbids is noted on the
 * attempt, with the fees that it saved.
 *
 * Where two recoveries turned out to be of one debt, the one that was joined begins no charge, and the
 * other one none while that one may have a charge on its way, or when it has recovered the debt.
 *
 * Rows under way are told by the states that they are not in. Asked for those states themselves, the
 * planner would read the whole index of them, which it takes for empty, instead of each row by its
 * key. Payments are looked up one by one for the same reason: as a set, the planner would read the whole
 * table while it is small. Parts of the statement are never joined to each other but asked whether they
 * have a key (`in` that is not a join is hashed): of a part the planner expects one row, and would
 * compare each row of a batch with each.
 */
const begin: Statement = {
  name: 'begin_charges',
  plans: 'kept',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as i (
        n int, merchant_id text, invoice_id text, fence int, attempt_id text, ordinal int, psp text,
        idempotency_key text, payment_method_id text, amount_minor bigint, currency text,
        check_answer jsonb, started_at timestamptz, sent_at timestamptz, connection_version int,
        card_key text, card_version bigint, card_turn bigint, network text,
        credential text, acquirer_country text, blocked jsonb, fees json)
    ),
    -- The names of the cards hold until these charges are committed. Whoever learns another one waits, so that nobody
    -- judges under it without them; and this waits for whoever writes a method and learns its card later, with
    -- payments held in between.
    named as materialized (
      select m.* from (select distinct merchant_id, payment_method_id from input order by 1, 2) k
      cross join lateral (
        select pm.payment_method_id from payment_methods pm
        where pm.merchant_id = k.merchant_id and pm.payment_method_id = k.payment_method_id
        for share
      ) m
    ),
    -- Locked in one order, after methods, which are counted so that they come first, and before cards. A payment that is not being attempted is not held.
    held as (
      select h.* from (
        select distinct merchant_id, invoice_id from input
        where (select count(*) from named) >= 0 order by 1, 2
      ) k
      cross join lateral (
        select p.merchant_id, p.invoice_id, p.fence, p.stop_reason, p.customer_id, p.psp_customer_id,
          p.payment_method_ids, p.frozen_at, p.charge_may_exist, p.failed_at, p.joined_to, p.decision
        from payments p
        where p.merchant_id = k.merchant_id and p.invoice_id = k.invoice_id
          and p.state not in ('scheduled', 'recovered', 'stopped', 'exhausted')
        for update
      ) h
    ),
    -- Asked again under the lock: a stop or an incident that came after the plan counts, and so does a dispute below.
    allowed as (
      select i.*, h.decision, h.customer_id, h.psp_customer_id, h.payment_method_ids
      from input i join held h using (merchant_id, invoice_id)
      where h.fence = i.fence and h.stop_reason is null and h.frozen_at is null
        and h.joined_to is null
        -- offset 0 keeps it a look-up by key for each row: as a join it would read every payment of the
        -- merchant that was joined.
        and not exists (
          select from payments j
          where j.merchant_id = h.merchant_id and j.joined_to = h.invoice_id
            and j.state not in ('scheduled', 'stopped', 'exhausted')
          offset 0)
    ),
    -- Others of the attempt may be begun, where its card or its customer is not the one in dispute.
    undisputed as (
      select a.* from allowed a
      where not ${isDisputed({
        merchantId: 'a.merchant_id',
        psp: 'a.psp',
        methodIds: 'array[a.payment_method_id]',
        pspCustomerId: 'a.psp_customer_id',
      })}
    ),
    -- Nor is a method begun that its customer removed since the payment was taken; others of the attempt may be.
    ready as (
      select a.* from undisputed a
      where not exists (
        select from payment_methods m
        where m.merchant_id = a.merchant_id and m.payment_method_id = a.payment_method_id
          and m.state = 'removed'
          and (m.payment_method_id = any (a.payment_method_ids)
            or m.customer_id = a.customer_id or m.psp_customer_id = a.psp_customer_id)
        offset 0)
    ),
    -- An attempt that has ended charges nothing more.
    charging as (
      select r.*, a.state as attempt_state,
             coalesce((select c.version from cards c
                       where c.merchant_id = r.merchant_id and c.card_key = r.card_key
                       offset 0), 0) = r.card_version as is_as_judged
      from ready r
      left join lateral (
        select o.state from attempts o
        where o.merchant_id = r.merchant_id and o.attempt_id = r.attempt_id
        limit 1
      ) a on true
      where r.blocked is null
        and coalesce(a.state, 'checking') not in ('succeeded', 'declined', 'not_attempted', 'unknown')
        and not ${isCarried}
    ),
    -- Committed before the PSP is called: what is found as sending after a crash may have been made. With its
    -- card it has its place in the card's history, for those who judge after it: the turn after the last one that
    -- it was judged on. Of two that judged the same history one gets it, in the order in which cards are locked
    -- everywhere. The first charge of an attempt stands for the attempt, which is written with the charge's end.
    begun as (
      insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
        idempotency_key, payment_method_id, amount_minor, currency, sent_at, connection_version,
        card_key, card_turn, network, credential, acquirer_country, attempt_started_at, check_answer)
      select merchant_id, attempt_id, ordinal, invoice_id, psp, 'sending',
             idempotency_key, payment_method_id, amount_minor, currency, sent_at,
             connection_version, card_key, card_turn + 1, network, credential, acquirer_country,
             case when attempt_state is null then started_at end,
             case when attempt_state is null then check_answer end
      from charging where is_as_judged
      order by merchant_id, card_key
      on conflict (merchant_id, card_key, card_turn) where card_key is not null do nothing
      returning merchant_id, attempt_id
    ),
    -- One that has a row: another of its methods was declined, or refused by a rule.
    reopened as (
      update attempts a
      set state = 'charging', check_answer = c.check_answer, amount_minor = c.amount_minor,
          currency = c.currency
      from charging c
      where c.attempt_state is not null and a.merchant_id = c.merchant_id and a.attempt_id = c.attempt_id
        and (c.merchant_id, c.attempt_id) in (select merchant_id, attempt_id from begun)
    ),
    numbered as materialized (
      select r.*, ${nextNumber('r')} as number from ready r
      where r.blocked is not null
        and not ${isCarried}
    ),
    -- What a rule forbade is kept with the attempt, and needs no reservation.
    refused as (
      insert into attempts as a (merchant_id, attempt_id, invoice_id, number, state, decision,
        check_answer, blocked_charges, started_at)
      select r.merchant_id, r.attempt_id, r.invoice_id, r.number, 'checking', r.decision,
             r.check_answer, r.blocked, r.started_at
      from numbered r
      on conflict (merchant_id, attempt_id) do update
      set check_answer = excluded.check_answer,
          blocked_charges = coalesce(a.blocked_charges, '[]') || excluded.blocked_charges
      where a.state not in ('succeeded', 'declined', 'not_attempted', 'unknown')
    ),
    -- Expected of a charge that is begun, avoided by one that was refused. A charge that is begun again
    -- under its key costs once.
    charged_for as (
      insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros,
        currency, at)
      select r.merchant_id,
             case when r.blocked is null then r.idempotency_key
                  else r.attempt_id || '/' || r.payment_method_id end,
             f.rule, case when r.blocked is null then 'expected' else 'avoided' end,
             r.network, f."amountMicros", f.currency, r.sent_at
      from ready r
      cross join lateral json_to_recordset(r.fees)
        as f (rule text, "amountMicros" bigint, currency text)
      where r.blocked is not null
        or (r.merchant_id, r.attempt_id) in (select merchant_id, attempt_id from begun)
      on conflict (merchant_id, charge_ref, rule) do nothing
    )
    -- Why a charge was not begun, the strongest reason first. Who holds the payment and is not allowed was
    -- stopped; who might have charged and did not get the turn judged an old history.
    -- What a restored backup held is marked. A debt that it did not hold may have been charged as well, and
    -- is known by its time when it is reported again.
    select i.n, e.first_sent_at, e.last_sent_at,
           h.charge_may_exist or exists (
             select from restore_checks r where r.started_at > h.failed_at) as charge_may_exist,
           case
             when (i.merchant_id, i.attempt_id) in (select merchant_id, attempt_id from begun) then 'begun'
             when h.fence = i.fence and not i.n in (select n from allowed) then 'stopped'
             when h.fence = i.fence and not i.n in (select n from undisputed) then 'disputed'
             when h.fence = i.fence and not i.n in (select n from ready) then 'removed'
             when h.fence = i.fence and i.blocked is not null then 'blocked'
             when h.fence = i.fence and i.n in (select n from charging) then 'card_changed'
             else 'lease_lost'
           end as outcome
    from input i
    left join held h on h.merchant_id = i.merchant_id and h.invoice_id = i.invoice_id
    -- Earlier charges under this key that were found never made: a PSP forgets keys, so before the same
    -- one is sent again after long, the PSP is asked. This statement's own row is not seen here.
    cross join lateral (
      select min(t.sent_at) as first_sent_at, max(t.sent_at) as last_sent_at
      from psp_transactions t
      where t.merchant_id = i.merchant_id and t.idempotency_key = i.idempotency_key
        and t.state = 'not_made'
    ) e
    order by i.n`,
};

interface BegunRow {
  readonly outcome:
    | 'begun'
    | 'stopped'
    | 'disputed'
    | 'removed'
    | 'blocked'
    | 'card_changed'
    | 'lease_lost';
  /** Of the charges under the same key that were found never made. */
  readonly first_sent_at: Date | null;
  readonly last_sent_at: Date | null;
  readonly charge_may_exist: boolean | null;
}

/**
 * Begins what the cards' networks allow. A batch may hold several charges of one card, and other
 * batches may charge it at the same time: of each card one charge is begun in a round, and what was
 * judged on a history that is no longer the whole is judged again.
 */
export async function beginCharges(
  db: Queryable,
  charges: readonly BeginCharge[],
): Promise<readonly BeginChargeOutcome[]> {
  const outcomes = new Map<number, BeginChargeOutcome>();
  // Each round begins a charge of every card that is left, unless another batch did: far fewer turns
  // of others can come in between before the card's limit ends them.
  for (let round = 0; outcomes.size < charges.length; round += 1) {
    invariant(round < 2 * charges.length + 1_000, 'a charge takes its turn on its card');
    const left = charges.flatMap((charge, index) =>
      outcomes.has(index) ? [] : [{ charge, index }],
    );
    const cards = await cardsOf(db, left, round);
    const batch = oneOfEachCard(
      left.flatMap(({ charge, index }, position) => {
        const card = cards[position];
        return card === undefined
          ? []
          : [{ charge, index, card, judged: judgeOnCard(charge, card) }];
      }),
    );
    const rows = await db.query<BegunRow>(begin, [JSON.stringify(batch.map(judgedRow))]);
    for (const [position, { index, judged }] of batch.entries()) {
      const outcome = toOutcome(rows[position], judged);
      if (outcome !== undefined) outcomes.set(index, outcome);
    }
  }
  return charges.flatMap((_, index) => outcomes.get(index) ?? []);
}

function isRead(card: CardHistory | undefined): card is ReadCard {
  return card?.version !== undefined && card.turn !== undefined;
}

/**
 * The cards of charges. At first they are those that their workers read, where they did: a card that has
 * changed since is told by its version or its last turn, and read for the next round.
 */
async function cardsOf(
  db: Queryable,
  charges: readonly { readonly charge: BeginCharge }[],
  round: number,
): Promise<readonly (ReadCard | undefined)[]> {
  const known = charges.map(({ charge: { card } }) =>
    round === 0 && isRead(card) ? card : undefined,
  );
  const asked = charges.filter((_, position) => known[position] === undefined);
  if (asked.length === 0) return known;
  const read = await readCards(
    db,
    asked.map(({ charge }) => ({ ...charge, at: charge.sentAt })),
  );
  let next = 0;
  return known.map((card) => {
    if (card !== undefined) return card;
    next += 1;
    return read[next - 1];
  });
}

/** Undefined where the charge is to be judged again. */
function toOutcome(row: BegunRow | undefined, judged: Judgement): BeginChargeOutcome | undefined {
  invariant(row !== undefined, 'every charge of a batch is answered');
  switch (row.outcome) {
    case 'card_changed':
      return undefined;
    case 'blocked':
      invariant(judged.kind === 'blocked', 'a charge is refused as it was judged');
      return judged;
    case 'begun':
      return begunOf(row);
    default:
      return { kind: row.outcome };
  }
}

function begunOf(row: BegunRow): BeginChargeOutcome {
  const { first_sent_at: firstSentAt, last_sent_at: lastSentAt } = row;
  return {
    kind: 'begun',
    ...(firstSentAt !== null && lastSentAt !== null && { earlier: { firstSentAt, lastSentAt } }),
    ...(row.charge_may_exist === true && { mayExist: true }),
  };
}
