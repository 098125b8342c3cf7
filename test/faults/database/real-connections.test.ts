import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultCluster,
  startFaultCluster,
} from '../../../src/faults/database/fault-cluster.ts';
import { openRealConnections } from '../../../src/faults/database/real-connections.ts';

let cluster: FaultCluster;

beforeAll(async () => {
  cluster = await startFaultCluster();
}, 120_000);

afterAll(() => cluster.close());

async function connections() {
  const real = await openRealConnections(cluster.connectionString);
  const connection = await real.acquire();
  const run = (text: string) => connection.run({ text }, false);
  return { real, connection, run };
}

test('an error of a statement is its outcome, and the connection goes on', async () => {
  const { real, connection, run } = await connections();
  expect(await run('select 1 / 0')).toMatchObject({ kind: 'error', error: { code: '22012' } });
  expect(connection.isLost()).toBe(false);
  expect(await run('select 1 as one')).toMatchObject({ kind: 'rows' });
  await real.close();
});

test('a connection that ends by itself is no fault of the simulated world, and is not used again', async () => {
  const { real, connection, run } = await connections();
  const outcome = await run('select pg_backend_pid() as pid');
  const pid = 'result' in outcome ? Number(outcome.result.rows[0]?.pid) : 0;
  const lost = expect(run('select pg_sleep(60)')).rejects.toThrow('lost its connection');
  await real.admin.query('select pg_terminate_backend($1)', [pid]);
  await lost;
  expect(connection.isLost()).toBe(true);
  real.release(connection);
  expect(await real.acquire()).not.toBe(connection);
  await real.close();
});

test('no limit of the server goes by real time', async () => {
  const { real } = await connections();
  const { rows } = await real.admin.query(
    `select name, setting from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
                    'transaction_timeout', 'idle_session_timeout') and setting <> '0'`,
  );
  expect(rows).toEqual([]);
  await real.close();
});
