import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { makeFirstSchema } from '../../kits/cluster/first-schema.ts';
import { databaseUrl } from '../../kits/cluster/test-cluster.ts';
import { dropWhereAllowed, testCluster } from '../../kits/database.ts';
import { queryOnce } from '../../kits/query-once.ts';
import { timeLimitMs } from '../../kits/time-limit.ts';

const clock = { now: () => new Date('2026-03-01T12:00:00.000Z') };
const root = fileURLToPath(new URL('../../..', import.meta.url));
/** More than one page of each table, and of each index. */
const payments = 2_000;

async function emptyDatabase(name: string): Promise<string> {
  const cluster = await testCluster();
  const server = cluster.coordinator ?? cluster.connectionString;
  await queryOnce(server, `create database ${name}`);
  onTestFinished(() => dropWhereAllowed(cluster, name));
  return databaseUrl(server, name);
}

/** Rows that the release of the first schema would have written. */
async function fill(connectionString: string): Promise<void> {
  await queryOnce(
    connectionString,
    `insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind, window_days, max_attempts,
       fixed_days, created_at, updated_at)
     values ('mer_1', 'A', 'https://x/retry', 'https://x/hook', 'fixed', 28, 8, '{1}', now(), now())`,
  );
  await queryOnce(
    connectionString,
    `insert into payments (merchant_id, invoice_id, customer_id, transaction_id, original_psp_transaction_id, psp,
       amount_minor, currency, payment_method_ids, first_decline, failed_at, window_ends_at, max_attempts, created_at,
       updated_at, state)
     select 'mer_1', 'in_' || n, 'cus_' || n, 'tra_' || n, 'ch_' || n, 'sandbox', 1000, 'EUR', '{pm_1}', '{}', now(),
       now() + interval '28 days', 8, now(), now(), 'exhausted'
     from generate_series(1, ${payments}) n`,
  );
  await queryOnce(
    connectionString,
    `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer, amount_minor, currency,
       started_at, ended_at)
     select 'mer_1', 'att_' || n, 'in_' || n, 1, 'declined', '{"retry": true, "reason": "x"}', 1000, 'EUR', now(), now()
     from generate_series(1, ${payments}) n`,
  );
  await queryOnce(
    connectionString,
    `insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, connection_version, state,
       idempotency_key, payment_method_id, amount_minor, currency, decline, sent_at, settled_at)
     select 'mer_1', 'att_' || n, 1, 'in_' || n, 'sandbox', 1, 'declined', 'rcp_' || n, 'pm_1', 1000, 'EUR', '{}',
       now(), now()
     from generate_series(1, ${payments}) n`,
  );
}

/** Everything that an upgrade may leave otherwise than a new database has it. */
async function schemaOf(connectionString: string) {
  const [indexes, constraints, columns, done] = await Promise.all(
    [
      `select indexrelid::regclass::text as name, indisvalid and indisready as is_valid, pg_get_indexdef(indexrelid) as text
       from pg_index join pg_class on pg_class.oid = indexrelid
       where relnamespace = current_schema()::regnamespace order by 1`,
      `select conrelid::regclass::text as of, conname as name, convalidated as is_valid, pg_get_constraintdef(oid) as text
       from pg_constraint where connamespace = current_schema()::regnamespace order by 1, 2`,
      `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
       where table_schema = current_schema() order by 1, 2`,
      'select name from migrations order by 1',
    ].map((text) => queryOnce(connectionString, text)),
  );
  return { indexes, constraints, columns, done };
}

/** Runs `recoup migrate` as a process of its own, and kills it once something is so. */
async function killedOnce(connectionString: string, isSo: () => Promise<boolean>): Promise<void> {
  const child = spawn(execPath, ['src/cli/recoup.ts', 'migrate'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATABASE_URL: connectionString },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  try {
    await expect.poll(isSo, { timeout: timeLimitMs(30_000), interval: 20 }).toBe(true);
  } finally {
    child.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
  }
}

it('an upgrade that is killed within an index, and between two steps, is ended by the next one', async ({
  skip,
}) => {
  const { coordinator } = await testCluster();
  if (coordinator !== undefined) skip('on Citus an upgrade begins with shards');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const connectionString = await emptyDatabase(name);
  await makeFirstSchema(connectionString);
  await fill(connectionString);
  const ask = (text: string) => queryOnce(connectionString, text);
  const isFound = async (text: string) => (await ask(text)).length > 0;
  const holder = new pg.Client({ connectionString });
  await holder.connect();
  onTestFinished(() => holder.end());
  const building = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like 'create index concurrently if not exists psp_transactions_card%'`;

  // An index is not valid before every older snapshot is gone; its server process ends after its client.
  await holder.query('begin isolation level repeatable read; select 1');
  await killedOnce(connectionString, () => isFound(`select ${building}`));
  await ask(`select pg_terminate_backend(pid) ${building}`);
  await holder.query('commit');
  const broken = 'select indexrelid::regclass::text as name from pg_index where not indisvalid';
  expect(await ask(broken)).toEqual([{ name: 'psp_transactions_card' }]);

  // The step after it, one transaction up to the next such index, waits for a table.
  await holder.query('begin; select 1 from payments limit 1');
  const waiting = `select from pg_locks where not granted and relation = 'payments'::regclass`;
  await killedOnce(connectionString, () => isFound(waiting));
  await holder.query('commit');
  const last = await ask('select max(name) as name from migrations');
  expect(last).toEqual([{ name: '0177_cards_of_charges_indexed.sql' }]);

  await migrate({ connectionString, clock });
  const fresh = await emptyDatabase(`${name}_new`);
  await migrate({ connectionString: fresh, clock });
  expect(await ask(broken)).toEqual([]);
  expect(await schemaOf(connectionString)).toEqual(await schemaOf(fresh));
  for (const table of ['payments', 'attempts', 'psp_transactions']) {
    expect(await ask(`select count(*)::int as n from ${table}`)).toEqual([{ n: payments }]);
  }
});
