import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import { openDatabase } from '../../src/store/database.ts';
import { reportsFrom } from '../../src/store/reports-database.ts';
import { createTestDatabase } from '../kits/database.ts';
import { startRelay } from '../kits/relay.ts';

const nameOf = { name: 'name_of_the_test', text: 'select current_database() as name' };
const write = {
  name: 'write_of_the_test',
  text: `update merchants set name = name where name = 'nobody' returning name`,
};

async function opened(through: (connectionString: string) => Promise<string>) {
  const made = await createTestDatabase();
  const connectionString = await through(made.connectionString);
  const db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 2 });
  onTestFinished(async () => {
    await db.close();
    await made.drop();
  });
  return { db, name: new URL(connectionString).pathname.slice(1) };
}

it('reports are read from the replica, and from the primary while it is away', async () => {
  const relays: Awaited<ReturnType<typeof startRelay>>[] = [];
  const primary = await opened(async (url) => url);
  const replica = await opened(async (url) => {
    const relay = await startRelay(url);
    onTestFinished(() => relay.cut());
    relays.push(relay);
    return relay.connectionString;
  });
  let nowMs = 0;
  const warnings: string[] = [];
  const reports = reportsFrom(
    { elapsedMs: () => nowMs, log: { warn: (message) => void warnings.push(message) } },
    { replica: replica.db, primary: primary.db },
  );
  const read = () => reports.query(nameOf, []);
  expect(await read()).toEqual([{ name: replica.name }]);
  expect(reports.isFallenBack()).toBe(false);

  await relays[0]?.cut();
  expect(await read()).toEqual([{ name: primary.name }]);
  expect(reports.isFallenBack()).toBe(true);
  expect(warnings).toEqual([
    'Reports are read from the primary: their replica failed (database_unreachable).',
  ]);

  await relays[0]?.lay();
  nowMs += 29_999;
  expect(await read()).toEqual([{ name: primary.name }]);
  nowMs += 1;
  expect(await read()).toEqual([{ name: replica.name }]);
  expect(reports.isFallenBack()).toBe(false);
});

it('what a replica refuses as one is asked of the primary, a fault of the asker of nobody else', async () => {
  const primary = await opened(async (url) => url);
  const replica = await opened(
    async (url) =>
      `${url}${url.includes('?') ? '&' : '?'}options=-c%20default_transaction_read_only%3Don`,
  );
  const deps = { elapsedMs: () => 0, log: { warn() {} } };
  const reports = reportsFrom(deps, { replica: replica.db, primary: primary.db });
  expect(await reports.query(write, [])).toEqual([]);
  expect(reports.isFallenBack()).toBe(true);

  const gone = { query: () => Promise.reject(new AppError('caller_gone')) };
  const asked = reportsFrom(deps, { replica: gone, primary: primary.db }).query(nameOf, []);
  await expect(asked).rejects.toMatchObject({ code: 'caller_gone' });
});
