import type { UnansweredChecks } from '../../recovery/checkup/checkup-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { isDueBy } from '../engine/pick-due.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/** Payments whose last check is looked at: more change no verdict. */
const maxPayments = 10_000;

/**
 * A try that reached no processor is followed by the next within a day, so the index of what is due next finds all of
 * them. Whether it was the merchant's server or the processor that failed is told by what the last check kept: a usable
 * yes has none of these.
 */
const unanswered: Statement = {
  name: 'checkup_unanswered_checks',
  text: `
    select w.merchant_id, count(*)::int as payments, max(a.started_at) as asked_at,
      (array_agg(coalesce(a.check_answer->>'detail', a.check_answer->>'refused',
        'The server answered ' || (a.check_answer->>'status') || '.') order by a.started_at desc))[1] as said
    from (
      select p.merchant_id, p.invoice_id from payments p
      where ${isDueBy('p', '$1')} and p.postponements >= $2 ${unlessMoved('p')}
      limit ${maxPayments}
    ) w
    join lateral (
      select started_at, state, check_answer from attempts a
      where a.merchant_id = w.merchant_id and a.invoice_id = w.invoice_id
      order by number desc limit 1
    ) a on a.state = 'not_attempted' and a.check_answer ?| array['cause', 'status', 'refused']
    group by w.merchant_id
    order by payments desc, w.merchant_id limit 20`,
};

interface UnansweredRow {
  readonly merchant_id: string;
  readonly payments: number;
  readonly asked_at: Date;
  readonly said: string;
}

/** Of the merchants with the most: payments due again by an instant after at least so many failed tries in a row. */
export async function listUnanswered(
  db: Queryable,
  { dueBy, tries }: { readonly dueBy: Date; readonly tries: number },
): Promise<readonly UnansweredChecks[]> {
  const rows = await db.query<UnansweredRow>(unanswered, [dueBy, tries]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    payments: row.payments,
    lastAskedAt: row.asked_at,
    lastAnswer: row.said,
  }));
}
