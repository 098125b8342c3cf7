import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { probeReads } from '../../src/store/probe-reads.ts';
import { createTestDatabase, testCluster } from '../kits/database.ts';
import { queryOnce } from '../kits/query-once.ts';

async function isSuperuser(): Promise<boolean> {
  const { connectionString } = await testCluster();
  const own = `select current_setting('is_superuser') = 'on' as yes`;
  return (await queryOnce(connectionString, own))[0]?.yes === true;
}

/** A service's database, and what its owner does to it from another one. */
async function probed() {
  const { connectionString, drop } = await createTestDatabase();
  const name = new URL(connectionString).pathname.slice(1);
  const elsewhere = (await testCluster()).connectionString;
  const alter = (what: string) => queryOnce(elsewhere, `alter database ${name} ${what}`);
  const db = openDatabase({ log: { warn: () => undefined } }, { connectionString, poolSize: 1 });
  onTestFinished(async () => {
    await db.close();
    await alter('allow_connections true');
    await drop();
  });
  return { db, alter };
}

it('a database that answers is not away', async () => {
  const { db } = await probed();
  expect(await probeReads(db)).toBeUndefined();
});

it('one that lets nobody in is away, and says so', async () => {
  const { db, alter } = await probed();
  await alter('allow_connections false');
  await expect(db.query({ name: 'one', text: 'select 1' }, [])).rejects.toMatchObject({
    code: 'database_unreachable',
  });
  expect(await probeReads(db)).toEqual({
    code: 'database_unreachable',
    message: 'The database is closed to connections.',
  });
});

it('one without a connection to spare says so', async ({ skip }) => {
  const { db, alter } = await probed();
  skip(await isSuperuser(), 'a superuser has no limit');
  await alter('connection limit 0');
  expect(await probeReads(db)).toEqual({
    code: 'database_connections_exhausted',
    message: 'The database accepts no more connections.',
  });
});

it('one whose schema is not ours is away without a reason', async () => {
  const query = () => Promise.reject(new Error('relation "merchants" does not exist'));
  expect(await probeReads({ query })).toEqual({});
});
