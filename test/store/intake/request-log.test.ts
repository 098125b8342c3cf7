import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { NewRequest } from '../../../src/recovery/intake-ports.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createRequestLog } from '../../../src/store/intake/request-log.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { changeSchema } from '../../kits/change-schema.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { leaseMs } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();

function updateRequest(world: EngineWorld, change: Partial<NewRequest> = {}): NewRequest {
  return {
    merchantId: world.merchantId,
    uuid: randomUUID(),
    kind: 'payment_method_update',
    body: { customer_id: 'cus_1', payment_method_id: 'pm_1' },
    receivedAt: world.clock.now(),
    ...change,
  };
}

describe('the log', () => {
  it('holds a request when its number is given', async () => {
    const world = await engineWorld();
    const request = updateRequest(world);
    const sequence = await world.deps.requestLog.append(request);
    const [row] = await world.rows('select sequence, uuid, state, body from requests');
    expect(row).toEqual({
      sequence: Number(sequence),
      uuid: request.uuid,
      state: 'accepted',
      body: request.body,
    });
  });

  it('gives a receipt that is there already its number again, and adds nothing', async () => {
    const world = await engineWorld();
    const log = world.deps.requestLog;
    const request = updateRequest(world);
    const first = await log.append(request);
    const other = await log.append(updateRequest(world));
    expect(await log.append({ ...request, receivedAt: addMs(worldStart, minuteMs) })).toBe(first);
    expect(other).not.toBe(first);
    expect(await world.rows('select received_at from requests order by sequence')).toEqual([
      { received_at: worldStart },
      { received_at: worldStart },
    ]);
  });

  it('gives a report of a failure that is there already its number again, and adds nothing', async () => {
    const world = await engineWorld();
    const uuid = randomUUID();
    const first = await world.submit(failedEvent(), uuid);
    world.clock.passMs(minuteMs);
    expect(await world.submit(failedEvent(), uuid)).toEqual(first);
    expect(await world.rows('select received_at from requests')).toEqual([
      { received_at: worldStart },
    ]);
    expect(await world.rows('select from payments')).toHaveLength(1);
  });

  it('gives every request a number of its own, rising for one who waits for each', async () => {
    const world = await engineWorld();
    const log = world.deps.requestLog;
    const first = await log.append(updateRequest(world));
    const many = await Promise.all(
      Array.from({ length: 700 }, () => log.append(updateRequest(world))),
    );
    const last = await log.append(updateRequest(world));
    expect(new Set([first, ...many, last]).size).toBe(702);
    for (const sequence of many) expect(sequence).toBeGreaterThan(first);
    expect(last).toBeGreaterThan(many.reduce((max, item) => (item > max ? item : max)));
  });

  it('numbers in the order of arrival, whichever process took a request', async () => {
    const world = await engineWorld();
    const other = openDatabase(
      { log: { warn() {} } },
      { connectionString: world.connectionString, poolSize: 1 },
    );
    const logs = [world.deps.requestLog, createRequestLog({ ...world.deps, db: other })];
    const sequences: bigint[] = [];
    for (let index = 0; index < 6; index += 1) {
      const log = logs[index % 2] ?? world.deps.requestLog;
      sequences.push(await log.append(updateRequest(world)));
    }
    await other.close();
    expect(sequences).toEqual(sequences.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('makes the payment of a failed event visible in the same moment', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'scheduled', attemptCount: 0 });
    expect(payment.nextAttemptAt).toBeUndefined();
    expect(await world.claimPayments()).toEqual([]);
    expect(await world.faults()).toEqual([]);
  });

  it('keeps the payment that is there where an invoice fails again', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.submit(failedEvent({ amount: 99 }));
    await Promise.all([1, 2, 3].map((amount) => world.submit(failedEvent({ amount }))));
    expect((await world.payment()).amountMinor).toBe(1223);
    expect(await world.rows('select 1 from requests')).toHaveLength(5);
  });

  it('refuses one bad request without its neighbours', async () => {
    const world = await engineWorld();
    const log = world.deps.requestLog;
    const results = await Promise.allSettled([
      log.append(updateRequest(world)),
      log.append(updateRequest(world, { merchantId: 'mer_none' })),
      log.append(updateRequest(world)),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await world.rows('select 1 from requests')).toHaveLength(2);
  });

  it('fails a failed event whose payment the database refuses, and keeps nothing of it', async () => {
    const world = await engineWorld();
    await changeSchema(
      world.connectionString,
      'alter table payments add constraint small check (amount_minor < 1000)',
    );
    await expect(world.submit(failedEvent())).rejects.toThrow(/small/);
    expect(await world.rows('select 1 from requests')).toEqual([]);
    expect(await world.rows('select 1 from debt_identities')).toEqual([]);
    await world.submit(failedEvent({ amount: 9 }));
    expect((await world.payment()).amountMinor).toBe(900);
  });

  it('finds no debts of no reports', async () => {
    const world = await engineWorld();
    expect(await world.deps.requestLog.findDebts([])).toEqual([]);
  });

  it('that cannot be reached says so to every caller', async () => {
    const world = await engineWorld();
    const gone = openDatabase(
      { log: { warn() {} } },
      { connectionString: 'postgres://nobody@127.0.0.1:1/none', poolSize: 2 },
    );
    const log = createRequestLog({ ...world.deps, db: gone });
    const appended = await Promise.allSettled([
      log.append(updateRequest(world)),
      log.append(updateRequest(world)),
    ]);
    await gone.close();
    for (const result of appended) {
      expect(result).toMatchObject({ status: 'rejected' });
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(AppError);
    }
  });
});

describe('a logged request', () => {
  it('is taken once, in the order of acceptance, and again when the lease ends', async () => {
    const world = await engineWorld();
    const sequences: bigint[] = [];
    for (let index = 0; index < 5; index += 1) {
      sequences.push(await world.deps.requestLog.append(updateRequest(world)));
    }
    const taken = await world.claimRequests();
    expect(taken.map((request) => request.sequence)).toEqual(sequences);
    expect(await world.claimRequests()).toEqual([]);
    world.clock.passMs(leaseMs);
    expect(await world.claimRequests()).toHaveLength(5);
  });

  it('is applied in the order of acceptance, whichever fell due before', async () => {
    const world = await engineWorld();
    const log = world.deps.requestLog;
    const sequences: bigint[] = [];
    for (const minutes of [2, 1, 0]) {
      const receivedAt = addMs(worldStart, minutes * minuteMs);
      sequences.push(await log.append(updateRequest(world, { receivedAt })));
    }
    world.clock.passMs(2 * minuteMs);
    const taken = await world.claimRequests();
    expect(taken.map((request) => request.sequence)).toEqual(sequences);
  });

  it('is taken with who sent it, and with the PSP’s invoice where its webhook named one', async () => {
    const world = await engineWorld();
    const log = world.deps.requestLog;
    await log.append(updateRequest(world));
    await log.append(updateRequest(world, { channel: 'psp', pspInvoiceId: 'in_psp_1' }));
    const taken = await world.claimRequests();
    expect(taken.map(({ channel, pspInvoiceId }) => [channel, pspInvoiceId])).toEqual([
      ['merchant', undefined],
      ['psp', 'in_psp_1'],
    ]);
  });

  it('is finished once: it is due no more, and its body is gone', async () => {
    const world = await engineWorld();
    const sequence = await world.deps.requestLog.append(updateRequest(world));
    await world.claimRequests();
    const { merchantId } = world;
    const at = addMs(worldStart, minuteMs);
    await world.deps.requestLog.finish([{ merchantId, sequence, outcome: { result: 'a' } }], at);
    await world.deps.requestLog.finish([{ merchantId, sequence, outcome: { result: 'b' } }], at);
    const [row] = await world.rows(
      'select state, outcome, body, applied_at, next_attempt_at, lease_until from requests',
    );
    expect(row).toEqual({
      state: 'applied',
      outcome: { result: 'a' },
      body: null,
      applied_at: at,
      next_attempt_at: null,
      lease_until: null,
    });
  });
});
