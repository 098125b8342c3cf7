import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs, secondMs } from '../../../src/domain/clock.ts';
import type { ChargeRequest, ChargeResult, LookUpResult } from '../../../src/recovery/psp-ports.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';
import { leaseMs, type Worker } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

async function lost(methods: readonly string[]): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods }));
  await world.runUntil(firstTry);
  return world;
}

/** A worker with a PSP that answers as told, and notes what it was asked. */
function withPsp(
  world: EngineWorld,
  psp: {
    charge?: (request: ChargeRequest) => Promise<ChargeResult>;
    lookUp?: () => Promise<LookUpResult>;
  },
): Worker {
  return world.worker((deps) => changedGateways(deps, () => psp));
}

const unknown = { kind: 'unknown', reason: 'the answer was lost' } as const;

describe('a charge whose answer was lost', () => {
  it('blocks its invoice until it is looked up', async () => {
    const world = await lost(['pm_sandbox_lost_success', 'pm_sandbox_success']);
    expect(await world.payment()).toMatchObject({
      status: 'attempting',
      attemptCount: 1,
      attempts: [{ status: 'unknown', transactions: [{ status: 'unknown' }] }],
    });
    expect(await world.events()).toEqual([]);
    // Nothing that comes from outside leads to another charge meanwhile.
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' });
    await world.settle();
    const retried = await world.retry('in_1');
    expect(retried).toEqual({ kind: 'refused', because: 'An attempt is in progress.' });
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });

  it('that was made ends as a success, without another charge', async () => {
    const world = await lost(['pm_sandbox_lost_success', 'pm_sandbox_success']);
    await world.runUntil(addMs(firstTry, 2 * secondMs));
    const [charge] = await world.ledger();
    expect(await world.payment()).toMatchObject({
      status: 'recovered',
      attempts: [{ status: 'succeeded', transactions: [{ pspTransactionId: charge?.id }] }],
    });
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.ledger()).toHaveLength(1);
    expect((await world.events()).map((event) => event.body.success)).toEqual([true]);
    await expectSound(world);
  });

  it('that was declined ends as a decline, and the schedule goes on', async () => {
    const world = await lost(['pm_sandbox_lost_decline', 'pm_sandbox_success']);
    await world.runUntil(addMs(firstTry, 2 * secondMs));
    const { status, attempts, nextAttemptAt } = await world.payment();
    expect([status, attempts[0]?.status]).toEqual(['scheduled', 'declined']);
    expect(nextAttemptAt).toEqual(addMs(worldStart, 3 * dayMs));
    expect(await world.ledger()).toHaveLength(1);
    expect((await world.events()).map((event) => event.body.success)).toEqual([false]);
    await expectSound(world);
  });

  it('is taken from whoever still held its payment once it is settled', async () => {
    const world = await lost(['pm_sandbox_lost_decline']);
    const key = { merchantId: world.merchantId, invoiceId: 'in_1' };
    const held = await world.deps.payments.load(key);
    await world.runUntil(addMs(firstTry, 2 * secondMs));
    const before = await world.payment();
    const late = await world.deps.payments.record({
      ...key,
      fence: held?.fence ?? 0,
      revision: held?.revision ?? 0,
      at: world.clock.now(),
      payment: { state: 'stopped', stopReason: 'merchant_stop', attemptCount: 0, postponements: 0 },
      events: [],
      takeOver: false,
    });
    expect(late).toBe('lease_lost');
    expect(await world.payment()).toEqual(before);
  });

  it('is reported together with the declines before it, in one event', async () => {
    const world = await lost(['pm_sandbox_decline_51', 'pm_sandbox_lost_success']);
    await world.runUntil(addMs(firstTry, minuteMs));
    const events = await world.events();
    expect(events.map((event) => event.body.psp_transactions)).toMatchObject([
      [{ success: false }, { success: true }],
    ]);
    await expectSound(world);
  });
});

describe('the account that is asked', () => {
  it('is the one that the charge was sent through', async () => {
    const world = await lost(['pm_sandbox_lost_success']);
    await world.rows('update psp_transactions set connection_version = 7');
    const asked: unknown[] = [];
    const worker = world.worker(({ findGateway }) => ({
      async findGateway(key) {
        asked.push(key);
        return findGateway({ merchantId: key.merchantId, psp: key.psp });
      },
    }));
    world.clock.passMs(2 * secondMs);
    await worker.settle();
    expect(asked[0]).toEqual({ merchantId: world.merchantId, psp: 'sandbox', version: 7 });
  });

  it('with real money settles nothing by a charge of a test mode', async () => {
    const world = await lost(['pm_sandbox_lost_success']);
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        connection: { version: 1, mode: 'live', isActive: true },
        async lookUp(request) {
          const found = await gateway.lookUp(request);
          return found.kind === 'succeeded' ? { ...found, told: { isLive: false } } : found;
        },
      })),
    );
    world.clock.passMs(2 * secondMs);
    await worker.settle();
    expect((await world.payment()).attempts[0]?.status).toBe('unknown');
    expect(await world.rows('select kind from incidents')).toEqual([{ kind: 'mode_differs' }]);
  });
});

describe('a PSP that cannot tell', () => {
  it('is asked again, later each time, then daily for a month; the invoice stays blocked', async () => {
    const world = await engineWorld();
    const asked: Date[] = [];
    const worker = withPsp(world, {
      charge: async () => unknown,
      lookUp: async () => {
        asked.push(world.clock.now());
        return unknown;
      },
    });
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    const stepsMs = [2 * secondMs, 10 * secondMs, minuteMs, 10 * minuteMs, hourMs, 4 * hourMs];
    const dailyMs = Array.from({ length: 30 }, () => dayMs);
    for (const waitMs of [0, ...stepsMs, 12 * hourMs, ...dailyMs, dayMs, dayMs]) {
      world.clock.passMs(waitMs);
      await worker.settle();
    }
    const waits = asked.map((at, index) => at.getTime() - (asked[index - 1] ?? firstTry).getTime());
    expect(waits).toEqual([...stepsMs, 12 * hourMs, ...dailyMs]);
    expect(await world.payment()).toMatchObject({
      status: 'attempting',
      attempts: [{ status: 'unknown' }],
    });
    expect(world.log.filter((line) => line.includes('a person has to look it up'))).toHaveLength(1);
    expect(world.server.lookups).toHaveLength(1);
    expect(worker.failures).toEqual([]);
    expect(await world.faults()).toEqual([]);
  });

  it('settles the charge as soon as it can tell', async () => {
    const world = await engineWorld();
    let answers = 0;
    const worker = withPsp(world, {
      lookUp: async () => {
        answers += 1;
        if (answers < 3) return unknown;
        return { kind: 'succeeded', pspTransactionId: (await world.ledger())[0]?.id ?? '' };
      },
    });
    await world.submit(failedEvent({ methods: ['pm_sandbox_lost_success'] }));
    await world.settle();
    world.clock.set(firstTry);
    await worker.settle();
    for (const waitMs of [2_000, 10_000, 60_000]) {
      world.clock.passMs(waitMs);
      await worker.settle();
    }
    expect((await world.payment()).status).toBe('recovered');
    await expectSound(world);
  });
});

describe('a charge that the PSP’s record does not hold', () => {
  it('may still be on its way until the time-outs are over', async () => {
    const world = await engineWorld();
    const worker = withPsp(world, { charge: async () => unknown });
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    await worker.settle();
    const slow = world.worker((deps) => ({
      settings: { ...deps.settings, pspTimeoutMs: 5 * secondMs },
    }));
    world.clock.passMs(2 * secondMs);
    await slow.settle();
    expect((await world.payment()).attempts[0]?.status).toBe('unknown');
    const [row] = await world.rows('select look_ups, reason from psp_transactions');
    expect(row).toEqual({ look_ups: 1, reason: 'the charge may still be on its way' });
  });

  it('was never made: a new attempt follows minutes later, with the same key', async () => {
    const world = await engineWorld();
    const keys: string[] = [];
    const worker = withPsp(world, {
      charge: async (request) => {
        keys.push(request.idempotencyKey);
        return unknown;
      },
    });
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    await worker.settle();
    await world.runUntil(addMs(firstTry, 6 * minuteMs));
    const { status, attempts } = await world.payment();
    expect(status).toBe('recovered');
    expect(attempts.map((attempt) => attempt.status)).toEqual(['not_attempted', 'succeeded']);
    expect(attempts[0]?.transactions).toMatchObject([{ status: 'not_made' }]);
    const ledger = await world.ledger();
    expect(ledger).toHaveLength(1);
    expect(keys).toEqual([ledger[0]?.idempotency_key]);
    expect(world.server.lookups).toHaveLength(2);
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('counts as no try', async () => {
    const world = await engineWorld({ policy: { maxAttempts: 1 } });
    const worker = withPsp(world, { charge: async () => unknown });
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    await worker.settle();
    await world.runUntil(addMs(firstTry, 6 * minuteMs));
    expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 1 });
  });
});

describe('two workers that look up the same charge', () => {
  it.each([
    ['pm_sandbox_lost_success', 'recovered'],
    ['pm_sandbox_lost_decline', 'scheduled'],
  ])('settle it once: %s', async (method, status) => {
    const world = await lost([method]);
    world.clock.passMs(2 * secondMs);
    const first = await world.claimUnknown();
    world.clock.passMs(leaseMs);
    const second = await world.claimUnknown();
    expect([first.length, second.length]).toEqual([1, 1]);
    await Promise.all([...first, ...second].map((charge) => world.look(charge)));
    expect((await world.payment()).status).toBe(status);
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('do not end an attempt that was begun since by another worker', async () => {
    const world = await engineWorld();
    const worker = withPsp(world, { charge: async () => unknown });
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    await worker.settle();
    world.clock.passMs(2 * secondMs);
    const [late] = await world.claimUnknown();
    world.clock.passMs(leaseMs);
    // Another worker resolves it, and the next attempt begins, before the first one comes back.
    for (const charge of await world.claimUnknown()) await world.look(charge);
    world.clock.passMs(5 * minuteMs);
    const [due] = await world.claimPayments();
    if (late === undefined || due === undefined) throw new Error('nothing was due');
    await world.look(late);
    expect(await world.payment()).toMatchObject({
      status: 'attempting',
      attempts: [{ status: 'not_attempted' }],
    });
    await world.run(due);
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });
});

it('a look-up that fails altogether leaves the charge to the next one', async () => {
  const world = await lost(['pm_sandbox_lost_success']);
  const worker = withPsp(world, { lookUp: () => Promise.reject(new Error('away')) });
  world.clock.passMs(2 * secondMs);
  await worker.settle();
  expect(worker.failures).toHaveLength(1);
  expect((await world.payment()).status).toBe('attempting');
  world.clock.passMs(leaseMs);
  await world.settle();
  expect((await world.payment()).status).toBe('recovered');
  await expectSound(world);
});
