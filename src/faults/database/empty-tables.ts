import type pg from 'pg';

/** Empties every table that was used, so that a run begins as the first one did. */
export async function emptyTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
     order by 1`,
  );
  const names = rows.map((row) => row.name).filter((name) => !kept.has(name));
  if (names.length > 0) await client.query(`truncate ${names.join(', ')} cascade`);
  // Those of identity columns and all others.
  await client.query(
    `select setval(oid::regclass, 1, false) from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'S'`,
  );
}

/** What a migration wrote. */
const kept = new Set(['migrations', 'sandbox_clock', 'rollup_progress']);
