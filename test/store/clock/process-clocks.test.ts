import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs, secondMs } from '../../../src/domain/clock.ts';
import {
  listProcessClocks,
  noteProcessClock,
  removeProcessClock,
} from '../../../src/store/clock/process-clocks.ts';
import { readTime } from '../../../src/store/clock/read-time.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const { connectionString } = database;
  db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const start = new Date('2026-03-01T12:00:00.000Z');
const good = { roles: ['worker'], aheadMs: 3, uncertaintyMs: 1, heldBack: undefined };
const held = {
  ...good,
  aheadMs: 130_000,
  heldBack: { code: 'clock_differs', message: 'It is ahead.' },
} as const;

it('the database tells its own time in milliseconds', async () => {
  const { rows } = await db.pool.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  expect(Math.abs((await readTime(db)) - (rows[0]?.ms ?? 0))).toBeLessThan(minuteMs);
});

it('a process tells how its clock stands, and since when it holds back for one reason', async () => {
  const processId = 'a:1';
  await noteProcessClock(db, { ...good, processId, at: start });
  expect(await listProcessClocks(db, start)).toEqual([
    { processId, roles: ['worker'], aheadMs: 3, uncertaintyMs: 1 },
  ]);
  const since = addMs(start, 5 * secondMs);
  for (const at of [since, addMs(since, 5 * secondMs)]) {
    await noteProcessClock(db, { ...held, processId, at });
  }
  expect(await listProcessClocks(db, addMs(since, 6 * secondMs))).toMatchObject([
    { processId, held: { code: 'clock_differs', message: 'It is ahead.', since } },
  ]);
  const other = { code: 'clock_unmeasured', message: 'It is not known.' } as const;
  const later = addMs(since, 20 * secondMs);
  await noteProcessClock(db, { ...held, heldBack: other, processId, at: later });
  expect(await listProcessClocks(db, later)).toMatchObject([{ held: { since: later } }]);
  await noteProcessClock(db, { ...good, processId, at: later });
  expect((await listProcessClocks(db, later))[0]?.held).toBeUndefined();
  await removeProcessClock(db, processId);
  expect(await listProcessClocks(db, later)).toEqual([]);
});

it('one that fell silent is told of no more, and is forgotten after a day', async () => {
  await noteProcessClock(db, { ...held, processId: 'b:1', at: start });
  expect(await listProcessClocks(db, addMs(start, minuteMs - 1))).toHaveLength(1);
  expect(await listProcessClocks(db, addMs(start, minuteMs))).toHaveLength(0);
  const after = addMs(start, dayMs + 1);
  // Its own row is never the one that is removed, however long it was suspended.
  await noteProcessClock(db, { ...held, processId: 'b:1', at: after });
  await noteProcessClock(db, { ...good, processId: 'c:1', at: addMs(after, dayMs + 1) });
  const { rows } = await db.pool.query('select process_id from process_clocks');
  expect(rows).toEqual([{ process_id: 'c:1' }]);
});
