import type { Database, Queryable, Statement } from '../database.ts';
import { addToTotals } from './add-to-totals.ts';
import { type ControlKey, judgeTotals } from './judge-totals.ts';

/** Entries that one statement folds: some tenths of a second of work. */
const batch = 20_000;

/** Held by whoever changes totals: one at a time, so that a statement of a day misses nothing. */
const hold: Statement = {
  name: 'hold_control_totals',
  text: 'select through_at from control_progress for update',
};

/**
 * Adds entries to the totals. One statement takes entries in the order in which they lie: those of a transaction that were left are
 * taken by the next, before anything is judged.
 */
const fold: Statement = {
  name: 'fold_control_entries',
  text: `
    with taken as (
      delete from control_entries
      where ctid = any (array(select ctid from control_entries limit $1))
      returning *
    ),
    summed as materialized (
      select merchant_id, day, psp, connection_version, currency, kind, count(*) as entries,
             sum(items) as items, sum(amount_minor) as amount_minor
      from taken group by 1, 2, 3, 4, 5, 6
    ),
    ${addToTotals('summed')}
    select merchant_id, day::text, psp, connection_version, currency, sum(entries)::int as entries
    from summed group by 1, 2, 3, 4, 5`,
};

const note: Statement = {
  name: 'note_control_progress',
  text: 'update control_progress set through_at = greatest(through_at, $1)',
};

interface FoldedRow extends ControlKey {
  readonly entries: number;
}

/** Brings the totals up to date, and says anew of what was touched whether it agrees; how many. */
export async function foldEntries(db: Database, input: { readonly at: Date }): Promise<number> {
  return db.transaction((tx) => foldInto(tx, input));
}

/** The same within a transaction, which holds the totals until it ends. */
export async function foldInto(tx: Queryable, { at }: { readonly at: Date }): Promise<number> {
  await tx.query(hold, []);
  const touched = new Map<string, ControlKey>();
  let done = 0;
  for (let taken = batch; taken === batch; done += taken) {
    const rows = await tx.query<FoldedRow>(fold, [batch]);
    taken = rows.reduce((sum, row) => sum + row.entries, 0);
    for (const { entries: _, ...key } of rows) touched.set(Object.values(key).join(' '), key);
  }
  await judgeTotals(tx, { keys: [...touched.values()], at });
  await tx.query(note, [at]);
  return done;
}
