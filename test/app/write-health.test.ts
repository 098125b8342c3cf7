import { expect, it } from 'vitest';
import { createWriteHealth } from '../../src/app/write-health.ts';
import { openDatabase } from '../../src/store/database.ts';
import { probeWrites } from '../../src/store/probe-writes.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { changeSchema } from '../kits/change-schema.ts';
import { createTestDatabase } from '../kits/database.ts';
import { useServices } from '../kits/service.ts';

const services = useServices();

it('a refusal holds for five seconds, then until a write is taken', async () => {
  let nowMs = 0;
  let isFull = true;
  const health = createWriteHealth({
    elapsedMs: () => nowMs,
    async probe() {
      if (!isFull) return;
      health.note('database_disk_full');
      throw new Error('full');
    },
  });
  expect(await health.refused()).toBeUndefined();
  health.note('database_busy');
  expect(await health.refused()).toBeUndefined();
  health.note('database_disk_full');
  const full = { code: 'database_disk_full', message: "The database's disk is full." };
  expect(await health.refused()).toEqual(full);
  nowMs = 5_000;
  expect(await health.refused()).toEqual(full);
  isFull = false;
  nowMs = 9_999;
  expect(await health.refused()).toEqual(full);
  nowMs = 10_000;
  expect(await health.refused()).toBeUndefined();
});

it('sheds writes and is not ready while the database takes none, and heals by itself', async () => {
  const { connectionString, drop } = await createTestDatabase();
  const service = await services.start({
    env: {
      DATABASE_URL: connectionString,
      ENCRYPTION_KEY: '07'.repeat(32),
      OPERATOR_TOKEN: 'operator-token-of-the-test',
      SANDBOX: 'true',
    },
  });
  const admin = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 1 });
  const post = () =>
    fetch(`${service.recoveryUrl}/recover/payments`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
      body: report,
    });
  const report = JSON.stringify(failedEvent());
  const ready = async () => {
    const answer = await fetch(`${service.operatorUrl}/readyz`);
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  // On a busy machine its clock has to be measured anew first.
  await expect.poll(ready, { timeout: 60_000 }).toEqual([200, undefined]);
  for (const state of ['53100', '25006'] as const) {
    const code = state === '53100' ? 'database_disk_full' : 'database_read_only';
    // As the server says it when a table cannot grow.
    await changeSchema(
      connectionString,
      `create function no_room() returns trigger language plpgsql as
       $$ begin raise exception 'no room' using errcode = '${state}'; end $$`,
    );
    await changeSchema(
      connectionString,
      'create trigger no_room before insert on requests execute function no_room()',
    );
    const refused = await post();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await ready()).toEqual([503, code]);
    await changeSchema(connectionString, 'drop trigger no_room on requests');
    await changeSchema(connectionString, 'drop function no_room');
    await expect.poll(ready, { timeout: 60_000 }).toEqual([200, undefined]);
    expect((await post()).status).toBe(200);
  }
  await probeWrites(admin);
  await admin.close();
  await service.stop();
  await drop();
});
