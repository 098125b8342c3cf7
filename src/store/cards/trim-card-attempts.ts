import { addMs, minuteMs } from '../../domain/clock.ts';
import type { Database, Statement } from '../database.ts';

/** Time that one transaction takes: some hundred thousand rows of the busiest service that we reckon with. */
const stretchMs = 15 * minuteMs;

/** A row of before there were trims begins with the oldest charge; that is looked for once. */
const begin: Statement = {
  name: 'begin_card_trim',
  text: `
    select case when h.through_at = '-infinity' then (select min(c.at) from card_attempts c)
                else h.through_at end as through_at
    from history_trims h where h.name = 'card_attempts' for update`,
};

/**
 * What no rule counts any more: declines beyond every window that forbid nothing for longer. An open
 * payment keeps its own, which count whenever they were made. Hard declines and those with an advice stay
 * for good; approvals do too, since one takes back the hard declines before it. Rows that somebody holds
 * are left where they are.
 */
const trim: Statement = {
  name: 'trim_card_attempts',
  text: `
    delete from card_attempts
    where (merchant_id, charge_ref) in (
      select c.merchant_id, c.charge_ref from card_attempts c
      where c.at >= $1 and c.at < $2 and c.outcome = 'declined' and not c.hard_decline
        and c.advice_code is null
        and not exists (
          select from payments p
          where p.merchant_id = c.merchant_id and p.invoice_id = c.invoice_id
            and p.state not in ('recovered', 'stopped', 'exhausted')
          offset 0)
      for update skip locked
    )`,
};

const keep: Statement = {
  name: 'keep_card_trim',
  text: "update history_trims set through_at = $1 where name = 'card_attempts'",
};

/** Trims the next stretch of cards' histories from before a time; whether there is more of them. */
export async function trimCardAttempts(db: Database, before: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [progress] = await tx.query<{ through_at: Date | null }>(begin, []);
    const from = progress?.through_at ?? before;
    if (from >= before) return false;
    const next = addMs(from, stretchMs);
    const to = next < before ? next : before;
    await tx.query(trim, [from, to]);
    await tx.query(keep, [to]);
    return to < before;
  });
}
