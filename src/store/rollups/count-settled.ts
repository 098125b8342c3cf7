import { addMs } from '../../domain/clock.ts';
import type { Database, Statement } from '../database.ts';

/**
 * Charges that succeeded, reported and our own, by the month (UTC) and the scheme of their cards, the empty one
 * where it is not known. A charge of ours that was reported too counts once. `$1` merchants or null, from `$2` on and
 * before `$3`.
 */
export const settledBySchemes = `
  select p.merchant_id, date_trunc('month', p.at at time zone 'UTC')::date as month,
         coalesce(m.scheme, '') as scheme, count(*)::int as charges
  from (
    select t.merchant_id, t.payment_method_id, t.occurred_at as at
    from transactions t
    where t.success and t.occurred_at >= $2 and t.occurred_at < $3
      and ($1::text[] is null or t.merchant_id = any($1))
    union all
    select o.merchant_id, o.payment_method_id, o.settled_at
    from psp_transactions o
    where o.state = 'succeeded' and o.settled_at >= $2 and o.settled_at < $3
      and ($1::text[] is null or o.merchant_id = any($1))
      and not exists (
        select from transactions t
        where t.merchant_id = o.merchant_id and t.psp_transaction_id = o.psp_transaction_id
          and t.success)
  ) p
  left join payment_methods m
    on m.merchant_id = p.merchant_id and m.payment_method_id = p.payment_method_id
  group by 1, 2, 3`;

/** Only where the last count is older than `$1`, or of an earlier month; who comes meanwhile waits, and finds it new. */
const lockOld: Statement = {
  name: 'lock_old_settled_charges',
  text: `
    select from rollup_progress
    where name = 'settled_charges' and (through_at < $1 or through_at < $2) for update`,
};

const clear: Statement = { name: 'clear_settled_charges', text: 'delete from settled_charges' };

const count: Statement = {
  name: 'count_settled_charges_by_scheme',
  text: `
    insert into settled_charges (merchant_id, month, scheme, charges)
    ${settledBySchemes}`,
};

const keep: Statement = {
  name: 'keep_settled_charges',
  text: "update rollup_progress set through_at = $1 where name = 'settled_charges'",
};

/**
 * Counts the charges of this month and the one before anew, where the last count is older than `oldestMs` or of an
 * earlier month. All at once: what is reported late, and a scheme that becomes known, move what lies behind.
 */
export async function countSettled(
  db: Database,
  { at, oldestMs }: { readonly at: Date; readonly oldestMs: number },
): Promise<void> {
  const monthOf = (months: number) =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months));
  await db.transaction(async (tx) => {
    if ((await tx.query(lockOld, [addMs(at, -oldestMs), monthOf(0)])).length === 0) return;
    await tx.query(clear, []);
    await tx.query(count, [null, monthOf(-1), monthOf(1)]);
    await tx.query(keep, [at]);
  }, 'anew');
}
