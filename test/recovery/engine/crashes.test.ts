import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { leaseMs } from '../../kits/worker.ts';
import {
  type Moment,
  type Operation,
  operations,
  workerStruckAt,
  workerThatDies,
} from './faulty-worker.ts';

const engineWorld = useEngineWorld();
const end = addMs(worldStart, 12 * dayMs);
// A decline, a lost success: every step of the engine is taken at least once.
const methods = ['pm_sandbox_decline_51', 'pm_sandbox_lost_success', 'pm_sandbox_success'];

async function begun(): Promise<EngineWorld> {
  const world = await engineWorld({ policy: { windowDays: 4, fixedDays: [1, 2, 3] } });
  await world.submit(failedEvent({ methods }));
  return world;
}

/** What is done again in so short a life: another plan, another charge. */
const again: readonly Operation[] = ['claim_payments', 'begin', 'charge', 'record'];
const moments: readonly Moment[] = operations.flatMap((operation) =>
  (['before', 'after'] as const).flatMap((when) =>
    (again.includes(operation) ? [1, 2] : [1]).map((nth) => ({ operation, when, nth })),
  ),
);
const named = moments.map((moment) => ({
  ...moment,
  name: `${moment.when} its ${moment.nth === 1 ? 'first' : 'second'} ${moment.operation}`,
}));

/** Recovered by one charge, told by one event for each attempt that reached the PSP. */
async function expectRecoveredOnce(world: EngineWorld): Promise<void> {
  const payment = await world.payment();
  expect(payment.status).toBe('recovered');
  const ledger = await world.ledger();
  expect(ledger.filter((charge) => charge.status === 'succeeded')).toHaveLength(1);
  const reached = payment.attempts.filter((attempt) => attempt.status !== 'not_attempted');
  const events = await world.events();
  expect(events.map((event) => event.body.service_id)).toEqual(
    reached.map((attempt) => attempt.attemptId),
  );
  expect(events.map((event) => event.delivery.status)).toEqual(events.map(() => 'delivered'));
  await expectDeliveredTheSame(world);
  const open = await world.rows(`select 1 from requests where state <> 'applied'`);
  expect(open).toEqual([]);
  await expectSound(world);
}

/** However often an event was sent, it was the same event: one id, the same bytes. */
async function expectDeliveredTheSame(world: EngineWorld): Promise<void> {
  const bodies = new Map<string, Set<string>>();
  for (const call of world.server.webhooks) {
    const known = bodies.get(call.deduplicationId) ?? new Set();
    bodies.set(call.deduplicationId, known.add(call.rawBody.toString('utf8')));
  }
  expect(bodies.size).toBe((await world.events()).length);
  for (const known of bodies.values()) expect(known.size).toBe(1);
}

describe('a worker that dies', () => {
  it.each(named)('$name: another one brings the payment to the same end', async (moment) => {
    const world = await begun();
    const worker = workerThatDies(world, moment);
    await world.runUntil(end, worker).catch((error: unknown) => {
      expect(String(error)).toBe('Error: the worker is dead');
    });
    await world.runUntil(end);
    expect(worker.isDead()).toBe(true);
    await expectRecoveredOnce(world);
  });
});

describe('a worker that is held up beyond its lease', () => {
  it.each(named)('$name: nothing is charged twice, and no answer is lost', async (moment) => {
    const world = await begun();
    const worker = workerStruckAt(world, moment, async () => {
      world.clock.passMs(leaseMs);
      await world.runUntil(addMs(world.clock.now(), leaseMs));
    });
    await world.runUntil(end, worker);
    await world.runUntil(end);
    expect(worker.wasStruck()).toBe(true);
    await expectRecoveredOnce(world);
    expect(worker.failures).toEqual([]);
  });
});

it('a charge keeps the yes that it was made under where the next worker is told no', async () => {
  const world = await begun();
  const worker = workerThatDies(world, { operation: 'begin', when: 'before', nth: 2 });
  await world.runUntil(end, worker).catch(() => undefined);
  expect(worker.isDead()).toBe(true);
  world.server.answerLookups({ body: { retry: false, reason: 'cancelled' } });
  await world.runUntil(end);
  const payment = await world.payment();
  expect(payment).toMatchObject({ status: 'stopped', stopReason: 'merchant_declined_retry' });
  expect(payment.attempts).toMatchObject([
    { status: 'declined', check: { retry: true }, transactions: [{ status: 'declined' }] },
  ]);
  await expectSound(world);
});

it('two workers on the same payments share them, and charge each once', async () => {
  const world = await engineWorld();
  const invoices = Array.from({ length: 30 }, (_, index) => `in_${index}`);
  for (const invoiceId of invoices) {
    const own = cardsOf(invoiceId, ['pm_sandbox_decline_51--first', ...methods]);
    await world.submit(failedEvent({ invoiceId, methods: own }));
  }
  const workers = [world.worker(), world.worker(), world.worker()];
  for (const at of [worldStart, addMs(worldStart, dayMs), addMs(worldStart, 2 * dayMs)]) {
    world.clock.set(at);
    await Promise.all(workers.map((worker) => worker.settle()));
  }
  for (const invoiceId of invoices) {
    expect((await world.payment(invoiceId)).status).toBe('recovered');
  }
  expect(workers.flatMap((worker) => worker.failures)).toEqual([]);
  expect(world.server.lookups).toHaveLength(invoices.length);
  await expectSound(world);
});
