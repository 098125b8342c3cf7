import { expect, it } from 'vitest';
import { readMigrations } from '../../../src/store/migrating/migration-files.ts';
import { findBlocking } from '../../kits/blocking-statements.ts';

/** From before anybody ran Recoup: they ran on small tables, or with nobody there. */
const past = [
  '0007_card_attempts.sql',
  '0008_psp_events.sql',
  '0013_card_fingerprints.sql',
  '0014_disputes.sql',
  '0015_dispute_evidence.sql',
  '0016_dispute_matching.sql',
  '0017_models.sql',
  '0018_submission_look_ups.sql',
  '0019_dashboard.sql',
  '0020_recent_card_attempts.sql',
  '0021_what_ifs.sql',
  '0022_network_pressure.sql',
  '0023_what_if_attempts.sql',
  '0025_answers_and_incidents.sql',
  '0026_set_aside.sql',
  '0027_debts.sql',
  '0028_psp_accounts.sql',
  '0032_learned_steps.sql',
  '0033_words_of_the_trade.sql',
  '0034_refunds.sql',
  '0036_refund_asked_at.sql',
  '0038_last_send.sql',
  '0040_audit_chain.sql',
  '0042_messages.sql',
  '0044_operators.sql',
  '0046_credential_scopes.sql',
  '0048_encryption_keys.sql',
  '0055_uplift_sums.sql',
  '0057_no_arms_in_overview.sql',
  '0059_replays.sql',
  '0063_waiting_for_customer.sql',
];

it('no new migration blocks writers, or takes from a release what it reads', async () => {
  const found = (await readMigrations()).flatMap(({ name, sql }) =>
    findBlocking(sql).map((fault) => ({ name, fault })),
  );
  expect(found.filter(({ name }) => !past.includes(name))).toEqual([]);
  // What is listed blocks indeed.
  expect(past.filter((name) => !found.some((each) => each.name === name))).toEqual([]);
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
