import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import type { ChargeResult } from '../../../src/recovery/psp-ports.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, type MerchantOptions, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';
import type { Worker, WorkerDeps } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A planned payment of these methods. */
async function planned(
  methods: readonly string[] = ['pm_sandbox_success'],
  options: MerchantOptions = {},
): Promise<EngineWorld> {
  const world = await engineWorld(options);
  await world.submit(failedEvent({ methods }));
  await world.settle();
  return world;
}

/** Charges through the world's PSP, with something done once the PSP has answered. */
function gatewayThat(
  deps: WorkerDeps,
  answered: (result: ChargeResult) => Promise<ChargeResult>,
): Pick<WorkerDeps, 'findGateway'> {
  return changedGateways(deps, (gateway) => ({
    charge: async (request) => answered(await gateway.charge(request)),
  }));
}

async function runFirstTry(world: EngineWorld, worker: Worker): Promise<void> {
  world.clock.set(firstTry);
  for (const due of await worker.claimPayments()) await worker.run(due);
}

describe('a payment that is scheduled', () => {
  it('is stopped at once, and never tried', async () => {
    const world = await planned();
    expect(await world.stop('in_1', { detail: 'cancelled by phone' })).toEqual({ kind: 'stopped' });
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'merchant_stop',
      stopDetail: 'cancelled by phone',
    });
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(world.server.lookups).toEqual([]);
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('is stopped before its request is applied too', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    expect(await world.stop('in_1')).toEqual({ kind: 'stopped' });
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect((await world.payment()).status).toBe('stopped');
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('that waits for an update is stopped for good: no update revives it', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ outcome: { raw_response_message: '54' } }));
    await world.settle();
    await world.stop('in_1');
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' });
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.ledger()).toEqual([]);
    expect((await world.payment()).status).toBe('stopped');
  });

  it('ends its dunning by the stop', async () => {
    const world = await planned(undefined, { endOfDunning: true });
    await world.stop('in_1');
    const [event, ...others] = await world.events();
    expect(event).toMatchObject({ type: 'end_of_dunning', body: { recovered: false } });
    expect(others).toEqual([]);
  });
});

describe('a payment that has ended, or is none', () => {
  it('is not stopped a second time', async () => {
    const world = await planned();
    await world.stop('in_1', { detail: 'first' });
    const again = await world.stop('in_1', { detail: 'second' });
    expect(again).toEqual({ kind: 'already', status: 'stopped' });
    expect((await world.payment()).stopDetail).toBe('first');
  });

  it('keeps the state that it ended in', async () => {
    const world = await planned();
    await world.runUntil(firstTry);
    expect(await world.stop('in_1')).toEqual({ kind: 'already', status: 'recovered' });
    expect((await world.payment()).stopReason).toBeUndefined();
  });

  it('is not found', async () => {
    const world = await engineWorld();
    expect(await world.stop('in_none')).toEqual({ kind: 'not_found' });
  });
});

describe('a payment whose merchant is being asked', () => {
  it('is stopped at once, and the charge that would have followed is not made', async () => {
    const world = await planned(undefined, { endOfDunning: true });
    let outcome: unknown;
    const worker = world.worker((deps) => ({
      merchantClient: {
        ...deps.merchantClient,
        async askRetryStatus(request) {
          const answer = await deps.merchantClient.askRetryStatus(request);
          outcome = await world.stop('in_1');
          return answer;
        },
      },
    }));
    await runFirstTry(world, worker);
    expect(outcome).toEqual({ kind: 'stopped' });
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'merchant_stop',
      attempts: [{ status: 'not_attempted', transactions: [] }],
    });
    expect(await world.ledger()).toEqual([]);
    expect((await world.events()).map((event) => event.type)).toEqual(['end_of_dunning']);
    await expectSound(world);
  });

  it('stays stopped by the stop where the merchant’s no comes after it', async () => {
    const world = await planned();
    world.server.answerLookups({ body: { retry: false, reason: 'User Cancelation' } });
    const worker = world.worker((deps) => ({
      merchantClient: {
        ...deps.merchantClient,
        async askRetryStatus(request) {
          expect(await world.stop('in_1')).toEqual({ kind: 'stopped' });
          return deps.merchantClient.askRetryStatus(request);
        },
      },
    }));
    await runFirstTry(world, worker);
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'stopped', stopReason: 'merchant_stop' });
    expect(payment.attempts).toMatchObject([{ check: { retry: false } }]);
    await expectSound(world);
  });

  it('is stopped by the merchant’s own no, where that came first', async () => {
    const world = await planned();
    world.server.answerLookups({ body: { retry: false, reason: 'User Cancelation' } });
    await world.runUntil(firstTry);
    expect(await world.stop('in_1')).toEqual({ kind: 'already', status: 'stopped' });
    expect((await world.payment()).stopReason).toBe('merchant_declined_retry');
  });

  it('stays stopped where the worker dies: the next one charges nothing', async () => {
    const world = await planned();
    world.clock.set(firstTry);
    await world.claimPayments();
    expect(await world.stop('in_1')).toEqual({ kind: 'stopped' });
    expect((await world.payment()).status).toBe('attempting');
    await world.runUntil(addMs(firstTry, 10 * minuteMs));
    expect((await world.payment()).status).toBe('stopped');
    expect(await world.ledger()).toEqual([]);
    expect(world.server.lookups).toEqual([]);
    await expectSound(world);
  });
});

describe('a payment that is being charged', () => {
  it.each([
    ['succeeds', 'pm_sandbox_success', { kind: 'already', status: 'recovered' }, 'recovered'],
    ['is declined', 'pm_sandbox_decline_51', { kind: 'stopped' }, 'stopped'],
  ])('is waited for; the charge %s', async (_, method, outcome, status) => {
    const world = await planned([method, 'pm_sandbox_success--2']);
    const looked = Promise.withResolvers<void>();
    const charged = Promise.withResolvers<void>();
    const stopper = world.worker(() => ({
      async pause() {
        looked.resolve();
        await charged.promise;
      },
    }));
    let stopping: Promise<unknown> | undefined;
    const worker = world.worker((deps) =>
      gatewayThat(deps, async (result) => {
        // The stop has looked before the PSP's answer is known to us.
        stopping = stopper.stop('in_1');
        await looked.promise;
        return result;
      }),
    );
    await runFirstTry(world, worker);
    charged.resolve();
    expect(await stopping).toEqual(outcome);
    expect((await world.payment()).status).toBe(status);
    expect(await world.ledger()).toHaveLength(1);
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('is not waited for where nobody waits; the stop holds after the charge', async () => {
    const world = await planned(['pm_sandbox_decline_51', 'pm_sandbox_success']);
    let outcome: unknown;
    const worker = world.worker((deps) =>
      gatewayThat(deps, async (result) => {
        outcome = await world.stop('in_1', { waits: false });
        return result;
      }),
    );
    await runFirstTry(world, worker);
    expect(outcome).toEqual({ kind: 'in_flight' });
    expect((await world.payment()).status).toBe('stopped');
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });
});

describe('a payment whose charge was lost', () => {
  it('keeps a stop that came while the charge was on its way', async () => {
    const world = await planned(['pm_sandbox_lost_decline', 'pm_sandbox_success']);
    let outcome: unknown;
    const worker = world.worker((deps) =>
      gatewayThat(deps, async (result) => {
        outcome = await world.stop('in_1', { waits: false, detail: 'cancelled by phone' });
        return result;
      }),
    );
    await runFirstTry(world, worker);
    expect(outcome).toEqual({ kind: 'in_flight' });
    expect((await world.payment()).attempts[0]?.status).toBe('unknown');
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'merchant_stop',
      stopDetail: 'cancelled by phone',
    });
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });

  it.each([
    ['pm_sandbox_lost_success', { kind: 'already', status: 'recovered' }, 'recovered'],
    ['pm_sandbox_lost_decline', { kind: 'stopped' }, 'stopped'],
  ])('is waited for until the PSP’s record resolves %s', async (method, outcome, status) => {
    const world = await planned([method]);
    await world.runUntil(firstTry);
    expect((await world.payment()).attempts[0]?.status).toBe('unknown');
    let pauses = 0;
    const worker = world.worker(() => ({
      pause: async () => {
        pauses += 1;
        if (pauses === 3) await world.runUntil(addMs(firstTry, 10_000));
      },
    }));
    expect(await worker.stop('in_1')).toEqual(outcome);
    expect(pauses).toBeGreaterThanOrEqual(3);
    expect((await world.payment()).status).toBe(status);
    await expectSound(world);
  });

  it('is told to be in flight where that takes too long; the stop holds all the same', async () => {
    const world = await planned(['pm_sandbox_lost_decline']);
    await world.runUntil(firstTry);
    const pauses: number[] = [];
    const pause = async (durationMs: number) => void pauses.push(durationMs);
    // Looks take no time, however busy the machine is: only pauses are waited.
    const worker = world.worker(() => ({ pause, elapsedMs: () => 0 }));
    expect(await worker.stop('in_1')).toEqual({ kind: 'in_flight' });
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(15_000);
    // It looks ever more rarely: a charge that takes long is not asked for hundreds of times.
    expect(pauses.length).toBeLessThan(60);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(500);
    await world.runUntil(addMs(worldStart, 28 * dayMs));
    expect(await world.payment()).toMatchObject({ status: 'stopped', attemptCount: 1 });
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });

  it('is told to be in flight where the payment is moved to another cell meanwhile', async () => {
    const world = await planned(['pm_sandbox_lost_decline']);
    await world.runUntil(firstTry);
    let isMoved = false;
    const worker = world.worker(({ payments }) => ({
      async pause() {
        isMoved = true;
      },
      payments: { ...payments, load: async (key) => (isMoved ? undefined : payments.load(key)) },
    }));
    expect(await worker.stop('in_1')).toEqual({ kind: 'in_flight' });
    expect(await worker.stop('in_1')).toEqual({ kind: 'not_found' });
    await world.runUntil(addMs(worldStart, 28 * dayMs));
    expect(await world.payment()).toMatchObject({ status: 'stopped', attemptCount: 1 });
    await expectSound(world);
  });

  it('is told to be in flight as soon where each look takes long, and is written once', async () => {
    const world = await planned(['pm_sandbox_lost_decline']);
    await world.runUntil(firstTry);
    let elapsedMs = 0;
    let looks = 0;
    const worker = world.worker((deps) => ({
      async pause(durationMs: number) {
        elapsedMs += durationMs;
      },
      elapsedMs: () => elapsedMs,
      payments: {
        ...deps.payments,
        async load(key) {
          looks += 1;
          elapsedMs += 2_000;
          return deps.payments.load(key);
        },
      },
    }));
    const revision = async () =>
      world.rows(`select revision, updated_at, stop_reason from payments`, []);
    const [before] = (await revision()) as { revision: number }[];
    expect(await worker.stop('in_1')).toEqual({ kind: 'in_flight' });
    expect(looks).toBe(7);
    const stopped = await revision();
    expect(stopped).toMatchObject([
      { revision: (before?.revision ?? 0) + 1, stop_reason: 'merchant_stop' },
    ]);
    world.clock.set(addMs(world.clock.now(), 1_000));
    expect(await worker.stop('in_1')).toEqual({ kind: 'in_flight' });
    expect(await revision()).toEqual(stopped);
    await expectSound(world);
  });
});

describe('a stop that meets a worker', () => {
  it('never shares the payment with a plan that is written in the same moment', async () => {
    const world = await engineWorld();
    const invoices = Array.from({ length: 40 }, (_, index) => `in_${index}`);
    for (const invoiceId of invoices) {
      await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
    }
    await world.apply(await world.claimRequests());
    const due = await world.claimPayments();
    expect(due.map((item) => item.dueAction)).toEqual(invoices.map(() => 'plan'));
    const [stops] = await Promise.all([
      Promise.all(invoices.map((invoiceId) => world.stop(invoiceId))),
      Promise.all(due.map((item) => world.run(item))),
    ]);
    expect(stops).toEqual(invoices.map(() => ({ kind: 'stopped' })));
    const states = await Promise.all(invoices.map((invoiceId) => world.payment(invoiceId)));
    expect(states.map((payment) => payment.status)).toEqual(invoices.map(() => 'stopped'));
    await expectSound(world);
  });

  it('lets nothing be sent once it is acknowledged, whenever it comes', async () => {
    const world = await engineWorld();
    const order: string[] = [];
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        charge: (request) => {
          order.push(`sent ${request.invoiceId}`);
          return gateway.charge(request);
        },
      })),
    );
    const methods = ['pm_sandbox_decline_51--1', 'pm_sandbox_decline_51--2', 'pm_sandbox_success'];
    const invoices = Array.from({ length: 80 }, (_, index) => `in_${index}`);
    for (const invoiceId of invoices) {
      await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId, methods) }));
    }
    await world.settle();
    world.clock.set(firstTry);

    /** Comes after so many turns of the event loop: before, between and after all the steps. */
    async function stopAfter(turns: number, invoiceId: string): Promise<string> {
      for (let count = 0; count < turns; count += 1) await turn();
      const outcome = await world.stop(invoiceId);
      if (outcome.kind === 'stopped') order.push(`stopped ${invoiceId}`);
      return outcome.kind;
    }
    const [outcomes] = await Promise.all([
      Promise.all(invoices.map((invoiceId, index) => stopAfter(index * 2, invoiceId))),
      worker.settle(),
    ]);
    await worker.settle();

    expect(worker.failures).toEqual([]);
    for (const [index, invoiceId] of invoices.entries()) {
      const { status } = await world.payment(invoiceId);
      const stoppedAt = order.indexOf(`stopped ${invoiceId}`);
      expect(status).toBe(outcomes[index] === 'stopped' ? 'stopped' : 'recovered');
      if (stoppedAt >= 0) expect(order.slice(stoppedAt)).not.toContain(`sent ${invoiceId}`);
    }
    await expectSound(world);
  });
});
