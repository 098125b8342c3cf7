import { addMs, dayMs, earlierOf, minuteMs } from '../../domain/clock.ts';
import type { Database, Queryable, Statement } from '../database.ts';

/** Time that one transaction takes: some hundred thousand rows of the busiest service that we reckon with. */
const stretchMs = 15 * minuteMs;

/** Of the time after a stretch in which there was nothing to remove, so much is looked through first. */
const firstLookMs = dayMs;

/** A row of before there were trims begins with the oldest charge; that is looked for once. */
const begin: Statement = {
  name: 'begin_card_trim',
  text: `
    select case when h.through_at = '-infinity' then (select min(c.at) from card_attempts c)
                else h.through_at end as through_at
    from history_trims h where h.name = 'card_attempts' for update`,
};

/** Whether a charge `c` is of a payment that is still tried: those count whenever they were made. */
const isOfOpenPayment = `exists (
          select from payments p
          where p.merchant_id = c.merchant_id and p.invoice_id = c.invoice_id
            and p.state not in ('recovered', 'stopped', 'exhausted')
          offset 0)`;

/**
 * What no rule counts any more: declines beyond every window that forbid nothing for longer. Hard declines and those
 * with an advice stay for good. Rows that somebody holds are left where they are.
 */
const trim: Statement = {
  name: 'trim_card_attempts',
  text: `
    with gone as (
      delete from card_attempts
      where (merchant_id, charge_ref) in (
        select c.merchant_id, c.charge_ref from card_attempts c
        where c.at >= $1 and c.at < $2 and c.outcome = 'declined' and not c.hard_decline
          and c.advice_code is null and not ${isOfOpenPayment}
        for update skip locked
      )
      returning 1
    )
    select count(*)::int as trimmed from gone`,
};

/**
 * Approvals beyond every window, but for the last one of a card: it takes back the hard declines before it, and none
 * that comes before it takes back more. Of each method, since a card's charges may go to another card by their method.
 */
const trimApprovals: Statement = {
  name: 'trim_earlier_approvals',
  text: `
    with gone as (
      delete from card_attempts
      where (merchant_id, charge_ref) in (
        select c.merchant_id, c.charge_ref from (
          select distinct on (a.merchant_id, a.card_key, a.acceptor, a.payment_method_id) a.*
          from card_attempts a
          where a.at >= $1 and a.at < $2 and a.outcome = 'approved'
          order by a.merchant_id, a.card_key, a.acceptor, a.payment_method_id, a.at desc, a.charge_ref desc
        ) last
        cross join lateral (
          select * from card_attempts o
          where o.merchant_id = last.merchant_id and o.card_key = last.card_key and o.at <= last.at
            and (o.at, o.charge_ref) < (last.at, last.charge_ref)
            and o.acceptor = last.acceptor and o.payment_method_id = last.payment_method_id
            and o.outcome = 'approved'
          for update skip locked
        ) c
        where not ${isOfOpenPayment}
      )
      returning 1
    )
    select count(*)::int as trimmed from gone`,
};

const keep: Statement = {
  name: 'keep_card_trim',
  text: "update history_trims set through_at = $1 where name = 'card_attempts'",
};

/** Asked of one window after the other: there is no index that would find the next charge at once. */
const find: Statement = {
  name: 'find_charge_to_trim',
  text: 'select min(c.at) as at from card_attempts c where c.at >= $1 and c.at < $2',
};

/** Trims the next stretch of cards' histories from before a time; whether there is more of them. */
export async function trimCardAttempts(db: Database, before: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [progress] = await tx.query<{ through_at: Date | null }>(begin, []);
    const from = progress?.through_at ?? before;
    if (from >= before) return false;
    const to = earlierOf(addMs(from, stretchMs), before);
    const isEmpty = (await trimBetween(tx, from, to)) === 0;
    const through = isEmpty ? await nextChargeAt(tx, to, before) : to;
    await tx.query(keep, [through]);
    return through < before;
  });
}

async function trimBetween(tx: Queryable, from: Date, to: Date): Promise<number> {
  let trimmed = 0;
  for (const statement of [trim, trimApprovals]) {
    const [row] = await tx.query<{ trimmed: number }>(statement, [from, to]);
    trimmed += row?.trimmed ?? 0;
  }
  return trimmed;
}

/**
 * The time of the first charge from `from` on, or `before` where none comes before that. A merchant may report a
 * charge of long ago, and the years after it, with nothing in them, have hundreds of thousands of stretches.
 */
async function nextChargeAt(tx: Queryable, from: Date, before: Date): Promise<Date> {
  let start = from;
  for (let lookMs = firstLookMs; start < before; lookMs *= 2) {
    const end = earlierOf(addMs(start, lookMs), before);
    const [row] = await tx.query<{ at: Date | null }>(find, [start, end]);
    if (row?.at != null) return row.at;
    start = end;
  }
  return before;
}
