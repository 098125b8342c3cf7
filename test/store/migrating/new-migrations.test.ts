import { expect, it } from 'vitest';
import { readMigrations } from '../../../src/store/migrating/migration-files.ts';
import { findBlocking } from '../../kits/blocking-statements.ts';

/**
 * Up to this number they were written, or their numbers given out, before there was this rule: some
 * thirty of them build indexes, change columns or fill rows in ways that a later one must not.
 */
const lastBeforeTheRule = 69;
const isLater = (name: string) => Number(name.slice(0, 4)) > lastBeforeTheRule;

it('no new migration blocks writers, or takes from a release what it reads', async () => {
  const found = (await readMigrations()).flatMap(({ name, sql }) =>
    findBlocking(sql).map((fault) => ({ name, fault })),
  );
  expect(found.filter(({ name }) => isLater(name))).toEqual([]);
  // The reader of statements finds what those before have of them.
  expect(found.map(({ name }) => name)).toContain('0033_words_of_the_trade.sql');
});

it.each([
  ['create index a on payments (b);', 'an index of payments built while its writers wait'],
  [
    '-- outside a transaction\ncreate index a on payments (b);',
    'an index of payments built while its writers wait',
  ],
  [
    'create index concurrently if not exists a on payments (b);',
    'concurrently, within a transaction',
  ],
  ['-- outside a transaction\ncreate index concurrently a on payments (b);', 'not to be run twice'],
  ['alter table payments alter column a type bigint;', 'another type of a column of payments'],
  ['alter table payments alter a set data type bigint;', 'another type of a column of payments'],
  ['alter table payments alter column a set not null;', 'payments read from end to end'],
  ['alter table payments add check (a > 0);', 'payments read from end to end'],
  [
    'alter table payments add constraint c foreign key (a) references b;',
    'payments read from end to end',
  ],
  [
    'alter table payments add column a text check (length(a) <= 64);',
    'payments read from end to end',
  ],
  [
    'alter table payments add primary key (a);',
    'an index of payments built while its writers wait',
  ],
  [
    'alter table payments add column a int not null;',
    'a column of payments that the release before does not fill',
  ],
  [
    'alter table payments add column a text default gen_random_uuid();',
    'payments written from end to end',
  ],
  ['update payments set a = 1;', 'rows filled by the migration'],
  ['delete from payments;', 'rows filled by the migration'],
  ['update payments set a = 1; update rollup_progress set b = 2;', 'rows filled by the migration'],
  ['alter table payments drop column a;', 'taken away without -- contract'],
  ['alter table payments rename column a to b;', 'taken away without -- contract'],
  ['drop table payments;', 'taken away without -- contract'],
])('%s is found', (sql, fault) => {
  expect(findBlocking(sql)).toContain(fault);
});

it.each([
  'create table a (b int not null check (b > 0));\ncreate index c on a (b);\nalter table a add check (b < 9);',
  '-- outside a transaction\ncreate unique index concurrently if not exists a on payments (b);',
  'alter table payments add column a text references b;',
  'alter table payments add column a int not null default 0;',
  'alter table payments add constraint c check (a > 0) not valid;',
  'alter table payments validate constraint c;',
  '-- contract: nothing reads it.\nalter table payments drop column a;',
  'alter table payments set (fillfactor = 80);',
])('%s is taken', (sql) => {
  expect(findBlocking(sql)).toEqual([]);
});
