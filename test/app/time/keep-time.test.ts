import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepTime } from '../../../src/app/time/keep-time.ts';
import { parseConfig } from '../../../src/config.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const config = parseConfig({ ROLES: 'worker' });
const deps = {
  elapsedMs: () => performance.now(),
  random: { bytes: (count: number) => randomBytes(count) },
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
};
const ahead = { now: () => new Date(Date.now() + 130_000) };

it('a start ends with words where the database’s clock cannot be measured', async () => {
  const gone = new URL(database.connectionString);
  gone.port = '1';
  const input = { config, address: { connectionString: gone.href } };
  await expect(keepTime({ ...deps, machine: ahead }, input)).rejects.toMatchObject({
    code: 'clock_unmeasured',
  });
});

it('the engine’s time is the database’s, and a machine that is ahead holds back', async () => {
  const time = await keepTime({ ...deps, machine: ahead }, { config, address: database });
  try {
    expect(Math.abs(time.clock.now().getTime() - Date.now())).toBeLessThan(2_000);
    expect(time.clock.heldBack()?.message).toContain('130.0 s ahead of');
  } finally {
    await time.close();
  }
});
