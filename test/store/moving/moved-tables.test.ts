import { afterAll, beforeAll, expect, it } from 'vitest';
import { movedTables, stayingTables } from '../../../src/store/moving/moved-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';
import { queryOnce } from '../../kits/query-once.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ask = (text: string) => queryOnce(database.connectionString, text);

it('every table with merchants in it is moved, or it is said why it stays', async () => {
  const rows = await ask(
    `select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition order by 1`,
  );
  const known = [...movedTables.map(({ name }) => name), ...Object.keys(stayingTables)];
  expect(known.toSorted()).toEqual(rows.map(({ name }) => name));
});

it('the tables stand in an order in which each row finds what it refers to', async () => {
  const rows = await ask(
    `select conrelid::regclass::text as name, confrelid::regclass::text as parent
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  const placeOf = (table: unknown) => movedTables.findIndex(({ name }) => name === table);
  const within = rows.filter(({ name }) => placeOf(name) >= 0);
  expect(within.length).toBeGreaterThan(40);
  expect(within.filter(({ name, parent }) => placeOf(parent) >= placeOf(name))).toEqual([]);
});

it('what has a number of the cell’s own, or is refused to be changed, is not moved as it is', async () => {
  const rows = await ask(
    `select relname as name from pg_class c
     where relnamespace = current_schema()::regnamespace
       and (exists (select from pg_attribute
                    where attrelid = c.oid and attidentity <> '' and attnum > 0)
         or exists (select from pg_trigger
                    where tgrelid = c.oid and not tgisinternal and tgtype & 2 = 2 and tgtype & 4 = 4))
     order by 1`,
  );
  const plain = movedTables.filter(({ form }) => form === 'rows').map(({ name }) => name);
  expect(rows.map(({ name }) => name)).toEqual(['audit_heads', 'audit_log', 'control_entries']);
  expect(rows.filter(({ name }) => plain.includes(String(name)))).toEqual([]);
});
