import type { Database, Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/** Rows that are locked are in use by someone: another run takes them. */
const archive: Statement = {
  name: 'archive_analytics',
  text: `
    update analytics set state = 'archived'
    where (merchant_id, analytics_id) in (
      select merchant_id, analytics_id from analytics
      where captured_at < $1 and state = 'active' ${unlessMoved('analytics')}
      limit $2
      for update skip locked
    )
    returning true`,
};

const find: Statement = {
  name: 'find_analytics_to_remove',
  text: `
    select merchant_id, analytics_id, subject_id from analytics
    where captured_at < $1 and not legal_hold
    limit $2`,
};

/** Those that somebody holds, or that a dispute has come to need, stay for another run. */
const remove: Statement = {
  name: 'remove_analytics',
  text: `
    delete from analytics
    where (merchant_id, analytics_id) in (
      select a.merchant_id, a.analytics_id from analytics a
      where (a.merchant_id, a.analytics_id) in (select * from unnest($1::text[], $2::text[]))
        and not a.legal_hold
      for update skip locked
    )
    returning true`,
};

/**
 * An analytics record that is being added shares the lock: it is there, or its person is not. Locked before their
 * records, as an erasure and whoever adds one hold them.
 */
const lockSubjects: Statement = {
  name: 'lock_analytics_subjects_by_id',
  text: `
    select true from analytics_subjects
    where (merchant_id, subject_id) in (select * from unnest($1::text[], $2::text[]))
    order by merchant_id, subject_id
    for update`,
};

const removeSubjects: Statement = {
  name: 'remove_analytics_subjects',
  text: `
    delete from analytics_subjects s
    where (s.merchant_id, s.subject_id) in (select * from unnest($1::text[], $2::text[]))
      and not exists (select from analytics a
                      where a.merchant_id = s.merchant_id and a.subject_id = s.subject_id)`,
};

interface FoundRow {
  readonly merchant_id: string;
  readonly analytics_id: string;
  readonly subject_id: string;
}

/** Archives up to `limit` active analytics records that came before `before`; how many. */
export async function archiveAnalytics(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  return (await db.query(archive, [before, limit])).length;
}

/**
 * Removes up to `limit` analytics records that came before `before` and that no dispute holds, and
 * the keys of the persons whose last ones they were; how many.
 */
export async function removeAnalytics(db: Database, before: Date, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<FoundRow>(find, [before, limit]);
    const merchants = rows.map((row) => row.merchant_id);
    const subjects = [merchants, rows.map((row) => row.subject_id)];
    await tx.query(lockSubjects, subjects);
    const ids = [merchants, rows.map((row) => row.analytics_id)];
    const removed = await tx.query(remove, ids);
    await tx.query(removeSubjects, subjects);
    return removed.length;
  });
}
