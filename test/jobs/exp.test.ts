import pg from 'pg';
import { test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { readClockOffset, writeClockOffset } from '../../src/store/sandbox-clock.ts';
import { createTestDatabase } from '../kits/database.ts';
import { createMovableClock } from '../../src/jobs/movable-clock.ts';
import { createDutyClock } from '../../src/jobs/duty-clock.ts';
import { startDutyQueue } from '../../src/jobs/duty-queue.ts';
import { createDutyTimes } from '../../src/jobs/duty-times.ts';
import { createClockDriver } from '../../src/jobs/clock-driver.ts';
import { addMs, dayMs, hourMs } from '../../src/domain/clock.ts';

test('exp', async () => {
  const t = await createTestDatabase();
  const log = { info: (f: any, m: string) => {}, warn: console.warn, error: console.error };
  const db = openDatabase({ log: { warn: console.warn } }, { connectionString: t.connectionString, poolSize: 5 });
  const machine = { now: () => new Date() };
  const clock = createMovableClock({ machine, offsetMs: await readClockOffset(db) });
  const runs: Date[] = [];
  const duties = [
    { name: 'check', everyMs: 6 * hourMs, run: async (c: any) => { runs.push(c.at); } },
    { name: 'daily1', everyMs: dayMs, run: async () => {} },
    { name: 'daily2', everyMs: dayMs, run: async () => {} },
    { name: 'od', onDemand: true as const, run: async () => {} },
  ];
  for (let i = 0; i < 4; i++) {
    const dutyClock = createDutyClock({ clock, offsetMsSql: '(select offset_ms from sandbox_clock)' });
    const a = performance.now();
    const q = await startDutyQueue({ clock, log, ...(i % 2 === 0 ? { dutyClock } : {}) }, { connectionString: t.connectionString, duties, work: true });
    const b = performance.now();
    await q.stop();
    console.log('start', (b - a).toFixed(0), 'stop', (performance.now() - b).toFixed(0));
  }
  const dutyClock = createDutyClock({ clock, offsetMsSql: '(select offset_ms from sandbox_clock)' });
  const q = await startDutyQueue({ clock, log, dutyClock }, { connectionString: t.connectionString, duties, work: true });
  const times = createDutyTimes({ query: db.query }, duties.map((d) => d.name));
  const driver = createClockDriver({ clock, machine, earliestDue: async () => undefined, ...times, writeOffset: (o) => writeClockOffset(db, o), pause: (ms) => new Promise((r) => setTimeout(r, ms)), log, stuckAfterMs: 10000 });
  const a = performance.now();
  const from = clock.now();
  const v = await driver.advanceTo(addMs(clock.now(), 28 * dayMs));
  console.log('28 days', performance.now() - a, v, runs.length, runs.slice(0, 4), runs.map((r) => r.getTime() % (6 * hourMs)).reduce((x, y) => Math.max(x, y)));
  await q.stop();
  await db.close();
  await t.drop();
}, 120_000);
