import { expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { isOnCitus } from '../kits/cluster/empty-shards.ts';
import { createTestDatabase } from '../kits/database.ts';
import { queryOnce } from '../kits/query-once.ts';
import { startTcpGate, type TcpGate } from '../kits/tcp-gate.ts';

const one = { name: 'select_one', text: 'select 1 as one' };

/** A database behind a way that can fall silent. */
async function behindGate(): Promise<{ db: Database; gate: TcpGate }> {
  const { connectionString, drop } = await createTestDatabase();
  const url = new URL(connectionString);
  const gate = await startTcpGate({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = gate.port.toString();
  const db = openDatabase(
    { log: { warn: () => undefined } },
    { connectionString: url.href, poolSize: 2, answerTimeoutMs: 1_500 },
  );
  onTestFinished(async () => {
    await gate.close();
    await db.close();
    await drop();
  });
  return { db, gate };
}

it('a statement is given up when the server falls silent with its connection open', async () => {
  const { db, gate } = await behindGate();
  expect(await db.query(one, [])).toEqual([{ one: 1 }]);
  gate.silence();
  await expect(db.query(one, [])).rejects.toMatchObject({ code: 'database_unreachable' });
});

it('a connection plans each statement as it asks, whoever used it before', async () => {
  const { connectionString, drop } = await createTestDatabase();
  const db = openDatabase({ log: { warn: () => undefined } }, { connectionString, poolSize: 1 });
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  const text =
    "select current_setting('plan_cache_mode') || ' ' || current_setting('enable_seqscan') as is";
  const chosen = { name: 'as_chosen', text };
  const kept = { name: 'as_kept', text, plans: 'kept' } as const;
  const anew = { name: 'anew', text, plans: 'anew' } as const;
  const alike = { name: 'alike', text, plans: 'alike' } as const;
  const freely = [{ is: 'auto on' }];
  // Citus takes no plan for any values.
  const isCitus = await isOnCitus(db.pool);
  const byWholeKeys = [{ is: isCitus ? 'auto off' : 'force_generic_plan off' }];
  expect(await db.query(chosen, [])).toEqual(freely);
  expect(await db.query(alike, [])).toEqual(freely);
  expect(await db.query(kept, [])).toEqual(byWholeKeys);
  expect(await db.query(alike, [])).toEqual(byWholeKeys);
  expect(await db.query(anew, [])).toEqual([{ is: 'force_custom_plan on' }]);
  expect(await db.query(kept, [])).toEqual(byWholeKeys);
  expect(await db.transaction((tx) => tx.query(kept, []))).toEqual(freely);
  expect(await db.query(kept, [])).toEqual(byWholeKeys);
  expect(await db.transaction((tx) => tx.query(chosen, []), 'kept')).toEqual(byWholeKeys);
  expect(await db.query(chosen, [])).toEqual(freely);
  expect(await db.transaction((tx) => tx.query(chosen, []), 'kept')).toEqual(byWholeKeys);
  expect(await db.query(chosen, [])).toEqual(freely);
});

it('no statement is compiled, whatever the server would do', async () => {
  const { connectionString, drop } = await createTestDatabase();
  const name = new URL(connectionString).pathname.slice(1);
  await queryOnce(connectionString, `alter database ${name} set jit = on`);
  const db = openDatabase({ log: { warn: () => undefined } }, { connectionString, poolSize: 1 });
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  const shown = { name: 'jit', text: "select current_setting('jit') as jit" };
  expect(await queryOnce(connectionString, shown.text)).toEqual([{ jit: 'on' }]);
  expect(await db.query(shown, [])).toEqual([{ jit: 'off' }]);
});

it('a transaction is given up with its connection', async () => {
  const { db, gate } = await behindGate();
  const work = db.transaction(async (tx) => {
    await tx.query(one, []);
    gate.silence();
    await tx.query(one, []);
  });
  await expect(work).rejects.toMatchObject({ code: 'database_unreachable' });
  expect(db.pool.totalCount).toBe(0);
});

it.each([
  ['53200', 'database_out_of_resources'],
  ['53000', 'database_out_of_resources'],
  ['58030', 'database_out_of_resources'],
  ['53100', 'database_disk_full'],
  ['25P04', 'database_unreachable'],
  ['57P03', 'database_unreachable'],
])('a server that says %s is %s, whatever it was asked', async (state, code) => {
  const { connectionString, drop } = await createTestDatabase();
  const db = openDatabase({ log: { warn: () => undefined } }, { connectionString, poolSize: 1 });
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  const refused = {
    name: 'refused',
    text: `do $$ begin raise exception 'refused' using errcode = '${state}'; end $$`,
  };
  await expect(db.query(refused, [])).rejects.toMatchObject({ code });
  await expect(db.transaction((tx) => tx.query(refused, []))).rejects.toMatchObject({ code });
  expect(await db.query(one, [])).toEqual([{ one: 1 }]);
});
