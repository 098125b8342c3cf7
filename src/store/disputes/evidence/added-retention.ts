import type { Queryable, Statement } from '../../database.ts';
import { unlessMoved } from '../../moving/unless-moved.ts';

/** Of disputes that have ended; one that comes back before is open again, and keeps its own. */
const removeRebuttals: Statement = {
  name: 'remove_old_dispute_rebuttals',
  text: `
    delete from dispute_rebuttals
    where (merchant_id, dispute_id) in (
      select r.merchant_id, r.dispute_id from dispute_rebuttals r
      join disputes d on d.merchant_id = r.merchant_id and d.dispute_id = r.dispute_id
      where coalesce(d.status not in ('needs_response', 'under_review'), true)
        and greatest(d.state_at, r.updated_at) < $1 ${unlessMoved('r')}
      limit $2
      for update of r skip locked
    )
    returning true`,
};

/** Removes up to `limit` pieces of evidence that persons added to disputes which ended before `before`; how many. */
export async function removeAdded(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.query(removeRebuttals, [before, limit])).length;
}
