import { expect, it } from 'vitest';
import { readMigrations } from '../../../src/store/migrating/migration-files.ts';
import { concurrentIndexOf, statementsOf } from '../../../src/store/migrating/statements-of.ts';

it('a semicolon in a text, a name, a comment or a body ends no statement', () => {
  const sql = `
    -- one; not two
    insert into a values ('it''s; one', "b;c"); /* ; */
    create function f() returns trigger language plpgsql as $$
    begin perform 1; return null; end $$;
    do $body$ begin execute 'select $$;$$'; end $body$;
    select 1 - 2 / 3, $1`;
  expect(statementsOf(sql)).toEqual([
    `insert into a values ('it''s; one', "b;c")`,
    'create function f() returns trigger language plpgsql as $$\n    begin perform 1; return null; end $$',
    `do $body$ begin execute 'select $$;$$'; end $body$`,
    'select 1 - 2 / 3, $1',
  ]);
});

it('every migration is statements that begin with a word of SQL', async () => {
  const first =
    /^(alter|create|delete|do|drop|insert|lock|revoke|grant|select|truncate|update|with)\s/i;
  for (const { name, sql } of await readMigrations()) {
    const odd = statementsOf(sql).filter((statement) => !first.test(statement));
    expect([name, odd]).toEqual([name, []]);
  }
});

it('an index that is built beside writers is known by its name', () => {
  const [statement = ''] = statementsOf(
    '-- why\ncreate index concurrently if not exists a_b on a (b);',
  );
  expect(concurrentIndexOf(statement)).toBe('a_b');
});
