import type { Queryable, Statement } from '../../database.ts';
import { unlessMoved } from '../../moving/unless-moved.ts';
import { openStatuses } from '../status-lists.ts';

/** Of disputes that have ended; one that comes back before is open again, and keeps its own. */
const removeRebuttals: Statement = {
  name: 'remove_old_dispute_rebuttals',
  text: `
    delete from dispute_rebuttals
    where (merchant_id, dispute_id) in (
      select r.merchant_id, r.dispute_id from dispute_rebuttals r
      join disputes d on d.merchant_id = r.merchant_id and d.dispute_id = r.dispute_id
      where coalesce(d.status not in ${openStatuses}, true)
        and greatest(d.state_at, r.updated_at) < $1 ${unlessMoved('r')}
      limit $2
      for update of r skip locked
    )
    returning true`,
};

const removeNotes: Statement = {
  name: 'remove_old_dispute_notes',
  text: `
    delete from dispute_notes
    where (merchant_id, dispute_id, note_id) in (
      select n.merchant_id, n.dispute_id, n.note_id from dispute_notes n
      join disputes d on d.merchant_id = n.merchant_id and d.dispute_id = n.dispute_id
      where coalesce(d.status not in ${openStatuses}, true)
        and greatest(d.state_at, n.written_at) < $1 ${unlessMoved('n')}
      limit $2
      for update of n skip locked
    )
    returning true`,
};

/** Files have up to eighty parts each: few at once. */
const mostFiles = 50;

const removeFiles: Statement = {
  name: 'remove_old_dispute_attachments',
  text: `
    delete from dispute_attachments
    where (merchant_id, dispute_id, attachment_id) in (
      select a.merchant_id, a.dispute_id, a.attachment_id from dispute_attachments a
      join disputes d on d.merchant_id = a.merchant_id and d.dispute_id = a.dispute_id
      where coalesce(d.status not in ${openStatuses}, true)
        and greatest(d.state_at, a.created_at) < $1 ${unlessMoved('a')}
      limit $2
      for update of a skip locked
    )
    returning true`,
};

const removeUnfinishedFiles: Statement = {
  name: 'remove_unfinished_dispute_attachments',
  text: `
    delete from dispute_attachments
    where (merchant_id, dispute_id, attachment_id) in (
      select a.merchant_id, a.dispute_id, a.attachment_id from dispute_attachments a
      where a.kept_at is null and a.created_at < $1 ${unlessMoved('a')}
      limit $2
      for update of a skip locked
    )
    returning true`,
};

/** Removes up to `limit` letters, files and notes of disputes which ended before `before`, each; how many. */
export async function removeAdded(db: Queryable, before: Date, limit: number): Promise<number> {
  const rebuttals = await db.query(removeRebuttals, [before, limit]);
  const files = await db.query(removeFiles, [before, Math.min(limit, mostFiles)]);
  const notes = await db.query(removeNotes, [before, limit]);
  return rebuttals.length + files.length + notes.length;
}

/** Removes up to `limit` files that began to come before `before` and never came whole; how many. */
export async function removeUnfinished(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const values = [before, Math.min(limit, mostFiles)];
  return (await db.query(removeUnfinishedFiles, values)).length;
}
