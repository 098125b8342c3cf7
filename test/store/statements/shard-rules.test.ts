import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOnCitus, readMigrations } from '../../../src/store/migrating/migration-files.ts';
import { lastBeforeShards } from '../../kits/cluster/first-schema.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';
import { queryOnce } from '../../kits/query-once.ts';
import type { CollectedStatement } from '../../kits/statements/collect.ts';
import {
  faultsOfFunction,
  faultsOfMigration,
  faultsOfStatement,
  type TriggerFunction,
} from '../../kits/statements/shard-rules.ts';

const collector = join(import.meta.dirname, '..', '..', 'kits', 'statements', 'collect.ts');

let database: TestDatabase;
let tables: ReadonlySet<string>;
let readers: ReadonlySet<string>;
let functions: readonly TriggerFunction[];
beforeAll(async () => {
  database = await createTestDatabase();
  const found = await queryOnce(
    database.connectionString,
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  tables = new Set(found.map(({ name }) => String(name)));
  const all = await queryOnce(
    database.connectionString,
    `select p.proname as name, p.prosrc as body,
            array(select distinct n from pg_trigger t, unnest(array[tgoldtable, tgnewtable]::text[]) n
                  where t.tgfoid = p.oid and n is not null) as transition,
            exists (select from pg_trigger t where t.tgfoid = p.oid and not t.tgisinternal) as is_run
     from pg_proc p where p.pronamespace = current_schema()::regnamespace`,
  );
  const bodies = all.map((row) => ({ name: String(row.name), body: String(row.body) }));
  const readsTables = ({ body }: { readonly body: string }) =>
    [...body.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g)].some(([, name]) =>
      tables.has(name ?? ''),
    );
  readers = new Set(bodies.filter(readsTables).map(({ name }) => name));
  const run = all.filter((row) => row.is_run === true).map((row) => String(row.name));
  const reached = new Set(run);
  for (const name of reached) {
    const body = bodies
      .filter((other) => other.name === name)
      .map((other) => other.body)
      .join('\n');
    for (const other of bodies) {
      if (new RegExp(`\\bperform\\s+${other.name}\\s*\\(`).test(body)) reached.add(other.name);
    }
  }
  functions = all
    .filter((row) => reached.has(String(row.name)))
    // Of a name that several functions have, those that take rows are of the release before.
    .filter((row) => row.is_run === true || String(row.body).includes('begin'))
    .map((row) => ({
      name: String(row.name),
      body: String(row.body),
      transitionTables: row.transition as string[],
    }));
});
afterAll(() => database.drop());

describe('on shards', () => {
  it('every trigger does what Citus takes', () => {
    expect(functions.length).toBeGreaterThan(15);
    expect(functions.filter(({ transitionTables }) => transitionTables.length > 0).length).toBe(5);
    expect(functions.flatMap((of) => faultsOfFunction(of, { tables, readers }))).toEqual([]);
  });

  it('every statement does what Citus takes', () => {
    const options = { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
    const collected: readonly CollectedStatement[] = JSON.parse(
      execFileSync(process.execPath, [collector], options),
    );
    const faults = collected.flatMap(({ name, text }) => faultsOfStatement(name, text, tables));
    expect([...new Set(faults)]).toEqual([]);
  });

  it('every migration since tables can be shards does what Citus takes, or another is run there', async () => {
    const later = (await readMigrations()).filter(({ name }) => name > lastBeforeShards);
    expect(later.length).toBeGreaterThan(25);
    const found = (migrations: typeof later) =>
      migrations.flatMap(({ name, sql }) => faultsOfMigration(sql).map((fault) => [name, fault]));
    expect(found(later.map(asOnCitus))).toEqual([]);
    expect(found(later)).toEqual([
      ['0173_analytics_by_whole_keys.sql', 'sets an option of a column'],
      ['0215_prefixes_of_long_cells.sql', 'changes a constraint and something else at once'],
    ]);
  });

  it('a migration is found that adds a column with a constraint', () => {
    expect(faultsOfMigration('alter table x add column a text check (length(a) < 9)')).toEqual([
      'adds a column with a constraint',
    ]);
  });

  it.each([
    [
      `begin insert into control_entries select merchant_id from became; end`,
      ['f reads became beside control_entries', 'f inserts what it selects'],
    ],
    [
      `begin perform merchant_id from became b join payments p using (merchant_id); end`,
      ['f reads became beside payments'],
    ],
    [
      `begin for e in select * from became b cross join lateral note_event(b.body) loop end loop; end`,
      ['f reads became beside note_event'],
    ],
    [`begin perform note_charge(1, new); end`, ['f hands new to note_charge']],
    [
      `begin if tg_table_name = 'audit_heads' then return null; end if; end`,
      ['f takes its table for the one of that name'],
    ],
  ])('a trigger is found that does not: %s', (body, faults) => {
    const planted = { name: 'f', body, transitionTables: ['became'] };
    expect(faultsOfFunction(planted, { tables, readers })).toEqual(faults);
  });

  it.each([
    [
      'with held as (select a from payments for update) update payments set a = 1 from held',
      's locks rows in a part itself, not in a query within it',
    ],
    [
      'with a as (insert into x values (1) returning 1) insert into y select * from a',
      's is an insert … select over parts that write',
    ],
    [
      'insert into x select k from unnest($1::text[]) k join payments p on p.invoice_id = k',
      's inserts what it reads of payments beside the values of a function',
    ],
    [
      'with a as (insert into x select 1 from payments) select 1',
      's reads payments in a part that inserts',
    ],
    [
      'with a as (delete from x returning b) update y set c = 1 from a where $1::text is null',
      's makes its parts depend on a parameter',
    ],
    [`update x set a = case $1::text when 'a' then 1 end`, 's compares by case … when'],
  ])('a statement is found that does not: %s', (text, fault) => {
    expect(faultsOfStatement('s', text, tables)).toEqual([fault]);
  });
});
