import type pg from 'pg';

/** Empties every table that was used, so that a run begins as the first one did. */
export async function emptyTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
     order by 1`,
  );
  const names = rows.map((row) => row.name).filter((name) => !kept.has(name));
  if (names.length > 0) {
    await client.query('begin');
    for (const table of unemptied) await client.query(`alter table ${table} disable trigger user`);
    await client.query(`truncate ${names.join(', ')} cascade`);
    for (const table of unemptied) await client.query(`alter table ${table} enable trigger user`);
    await client.query('commit');
  }
  // As a migration wrote it: runs of the archive wait for each other at this row.
  await client.query(
    `insert into history_trims (name, through_at) values ('payments', '-infinity')
     on conflict (name) do update set through_at = excluded.through_at`,
  );
  // Those of identity columns and all others.
  await client.query(
    `select setval(oid::regclass, 1, false) from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S'`,
  );
}

/** They refuse to be emptied, by triggers that their owner alone can switch off. */
const unemptied = ['audit_log', 'audit_heads'];

/** What a migration wrote. */
const kept = new Set(['migrations', 'sandbox_clock', 'rollup_progress']);
