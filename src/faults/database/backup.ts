import type pg from 'pg';

/** A copy of all tables as they were at one moment, kept beside them. */
export interface Backup {
  /** Puts it in the place of the tables; no session may be open. */
  restore(): Promise<void>;
}

interface Table {
  readonly name: string;
  readonly columns: string;
  /** Tables that its rows refer to. */
  readonly refers: readonly string[];
}

const folder = 'faults_backup';

/** What tells where the schema is, and not what was done. */
const unkept = ['migrations'];

/** Columns that are computed from others are not copied. */
const tablesQuery = `
  select c.relname as name,
    string_agg(quote_ident(a.attname), ', ' order by a.attnum)
      filter (where a.attgenerated = '') as columns,
    array(
      select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid order by 1
    ) as refers
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
  group by c.oid, c.relname order by c.relname`;

const sequencesQuery = `
  select quote_ident(sequencename) as name, last_value::text as last
  from pg_sequences where schemaname = current_schema()`;

/** Takes it in one transaction, as a dump does, while processes go on. */
export async function takeBackup(client: pg.Client): Promise<Backup> {
  const { rows } = await client.query<Table>(tablesQuery, [unkept]);
  const all = referredFirst(rows);
  await client.query(`drop schema if exists ${folder} cascade`);
  await client.query(`create schema ${folder}`);
  await client.query('begin isolation level repeatable read');
  const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
    sequencesQuery,
  );
  const held: Table[] = [];
  for (const table of all) {
    const { rows: found } = await client.query(
      `select exists (select from ${table.name}) as is_used`,
    );
    if (found[0]?.is_used !== true) continue;
    await client.query(`create unlogged table ${folder}.${table.name} as table ${table.name}`);
    held.push(table);
  }
  await client.query('commit');
  return {
    async restore() {
      await client.query('begin');
      // The audit log refuses to be emptied, by triggers that the tables' owner alone can switch off.
      for (const { name } of all) await client.query(`alter table ${name} disable trigger user`);
      await client.query(`truncate ${all.map(({ name }) => name).join(', ')}`);
      for (const { name, columns } of held) {
        await client.query(
          `insert into ${name} (${columns}) overriding system value select ${columns} from ${folder}.${name}`,
        );
      }
      for (const { name } of all) await client.query(`alter table ${name} enable trigger user`);
      for (const { name, last } of sequences) {
        await client.query('select setval($1, coalesce($2::bigint, 1), $3)', [
          name,
          last,
          last !== null,
        ]);
      }
      await client.query('commit');
      await client.query(`drop schema ${folder} cascade`);
    },
  };
}

/** In an order in which each table comes after those that it refers to. */
function referredFirst(tables: readonly Table[]): readonly Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const place = (table: Table) => {
    if (ordered.has(table)) return;
    for (const name of table.refers) {
      const other = byName.get(name);
      if (other !== undefined) place(other);
    }
    ordered.add(table);
  };
  for (const table of tables) place(table);
  return [...ordered];
}
