import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { DeliveryOutcome, DueDelivery } from '../../../src/recovery/engine-ports.ts';
import { createDeliveryStore } from '../../../src/store/engine/delivery-store.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { leaseMs } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A payment whose result has been recorded and not yet sent. */
async function recorded(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent());
  await world.settle();
  world.clock.set(firstTry);
  for (const due of await world.claimPayments()) await world.run(due);
  return world;
}

async function taken(world: EngineWorld): Promise<DueDelivery> {
  const [delivery, ...others] = await world.claimDeliveries();
  if (delivery === undefined || others.length > 0) throw new Error('one event should be due');
  return delivery;
}

function outcome(delivery: DueDelivery, change: Partial<DeliveryOutcome> = {}): DeliveryOutcome {
  return {
    merchantId: delivery.merchantId,
    eventId: delivery.eventId,
    fence: delivery.fence,
    number: delivery.tries + 1,
    sentAt: firstTry,
    endedAt: addMs(firstTry, 40),
    durationMs: 40,
    state: 'delivered',
    windowStartedAt: firstTry,
    status: 200,
    ...change,
  };
}

const failed = {
  state: 'pending',
  status: 500,
  error: 'server_error: it answered 500',
  nextAt: addMs(firstTry, 12 * hourMs),
} as const;

describe('a delivery', () => {
  it('is due with its event, the bytes of which are those that were written', async () => {
    const world = await recorded();
    const delivery = await taken(world);
    expect(delivery).toMatchObject({ type: 'retry_result', tries: 0, dueAt: firstTry });
    expect(delivery.windowStartedAt).toBeUndefined();
    const [event] = await world.rows<{ body: string }>('select body from events');
    expect(delivery.body).toBe(event?.body);
  });

  it('belongs to one worker until the lease ends', async () => {
    const world = await recorded();
    const first = await taken(world);
    world.clock.passMs(leaseMs - 1);
    expect(await world.claimDeliveries()).toEqual([]);
    world.clock.passMs(1);
    expect((await taken(world)).fence).toBe(first.fence + 1);
  });

  it('that failed is due at its next time, though the lease of that send would last', async () => {
    const world = await recorded();
    for (const tries of [0, 1, 2]) {
      const delivery = await taken(world);
      expect(delivery.tries).toBe(tries);
      const nextAt = addMs(world.clock.now(), leaseMs / 2);
      await world.deps.deliveries.record(outcome(delivery, { ...failed, nextAt }));
      world.clock.set(nextAt);
    }
  });

  it('that was acknowledged is over, and every send of it is kept', async () => {
    const world = await recorded();
    await world.deps.deliveries.record(outcome(await taken(world), failed));
    world.clock.set(failed.nextAt);
    const again = await taken(world);
    expect(again).toMatchObject({ tries: 1, windowStartedAt: firstTry });
    await world.deps.deliveries.record(outcome(again));
    expect((await world.payment()).deliveries).toMatchObject([
      { status: 'delivered', tries: 2, lastStatus: 200, deliveredAt: addMs(firstTry, 40) },
    ]);
    const sends = await world.rows(
      'select number, status, error from delivery_sends order by number',
    );
    expect(sends).toEqual([
      { number: 1, status: 500, error: failed.error },
      { number: 2, status: 200, error: null },
    ]);
    world.clock.passMs(30 * dayMs);
    expect(await world.claimDeliveries()).toEqual([]);
  });

  it('is not recorded by a worker that lost its lease', async () => {
    const world = await recorded();
    const late = await taken(world);
    world.clock.passMs(leaseMs);
    const holder = await taken(world);
    await world.deps.deliveries.record(outcome(late));
    expect((await world.payment()).deliveries[0]?.status).toBe('pending');
    expect(await world.rows('select 1 from delivery_sends')).toEqual([]);
    await world.deps.deliveries.record(outcome(holder));
    expect((await world.payment()).deliveries[0]?.status).toBe('delivered');
  });

  it('sent again is not recorded by a worker that lost its lease, nor logged', async () => {
    const world = await recorded();
    await world.deps.deliveries.record(outcome(await taken(world), failed));
    world.clock.set(failed.nextAt);
    const late = await taken(world);
    world.clock.passMs(leaseMs);
    const holder = await taken(world);
    await world.deps.deliveries.record(outcome(late));
    expect((await world.payment()).deliveries[0]).toMatchObject({ status: 'pending', tries: 1 });
    expect(await world.rows('select number from delivery_sends')).toEqual([{ number: 1 }]);
    const nextAt = addMs(failed.nextAt, 12 * hourMs);
    await world.deps.deliveries.record(outcome(holder, { ...failed, nextAt }));
    world.clock.set(nextAt);
    expect(await taken(world)).toMatchObject({ tries: 2 });
  });

  it.each(['first', 'last'])(
    'recorded in one batch with a send that was overtaken, which comes %s, tells of its own',
    async (overtaken) => {
      const world = await recorded();
      await world.deps.deliveries.record(outcome(await taken(world), failed));
      world.clock.set(failed.nextAt);
      const late = await taken(world);
      const { merchantId, eventId } = late;
      await redeliverEvent(world.db, { merchantId, eventId, at: failed.nextAt });
      const both = [outcome(late, { ...failed, status: 503 }), outcome(await taken(world))];
      const inOrder = overtaken === 'first' ? both : both.toReversed();
      await Promise.all(inOrder.map((one) => world.deps.deliveries.record(one)));
      const sends = await world.rows('select number, status from delivery_sends order by number');
      expect(sends).toEqual([
        { number: 1, status: 500 },
        { number: 2, status: 200 },
      ]);
      expect((await world.payment()).deliveries[0]?.status).toBe('delivered');
    },
  );

  it('that was asked for again is sent again: a send on its way no longer counts', async () => {
    const world = await recorded();
    const late = await taken(world);
    const { merchantId, eventId } = late;
    await redeliverEvent(world.db, { merchantId, eventId, at: firstTry });
    await world.deps.deliveries.record(outcome(late));
    const again = await taken(world);
    expect(again.windowStartedAt).toBeUndefined();
    await world.deps.deliveries.record(outcome(again));
    expect((await world.payment()).deliveries[0]?.status).toBe('delivered');
  });

  it('of a batch is recorded with the others', async () => {
    const world = await engineWorld();
    const invoices = Array.from({ length: 20 }, (_, index) => `in_${index}`);
    // A card each: the twenty reports alone would use up what the network allows one card.
    for (const invoiceId of invoices) {
      await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
    }
    await world.settle();
    world.clock.set(firstTry);
    await Promise.all((await world.claimPayments()).map((due) => world.run(due)));
    const deliveries = await world.claimDeliveries();
    const outcomes = deliveries.map((item, index) => outcome(item, index % 2 === 0 ? {} : failed));
    await Promise.all(outcomes.map((item) => world.deps.deliveries.record(item)));
    const states = await world.rows(
      'select state, count(*)::int from deliveries group by 1 order by 1',
    );
    expect(states).toEqual([
      { state: 'delivered', count: 10 },
      { state: 'pending', count: 10 },
    ]);
  });

  it('that is sent again is recorded in one batch with those that are sent first', async () => {
    const world = await engineWorld();
    const invoices = Array.from({ length: 10 }, (_, index) => `in_${index}`);
    for (const invoiceId of invoices) {
      await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
    }
    await world.settle();
    world.clock.set(firstTry);
    await Promise.all((await world.claimPayments()).map((due) => world.run(due)));
    for (const [index, item] of (await world.claimDeliveries()).entries()) {
      if (index % 2 === 0) await world.deps.deliveries.record(outcome(item, failed));
    }
    world.clock.set(failed.nextAt);
    const due = await world.claimDeliveries();
    expect(due.map(({ tries }) => tries).toSorted()).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    const asked: string[] = [];
    const { record } = createDeliveryStore({
      ...world.db,
      query(statement, values) {
        asked.push(statement.name);
        return world.db.query(statement, values);
      },
    });
    await Promise.all(due.map((item) => record(outcome(item))));
    // Had one of them failed it, they would have been recorded one by one.
    expect(asked).toEqual(['record_deliveries']);
    expect(
      await world.rows(
        `select d.state, d.tries, (select count(*)::int from delivery_sends s
                                   where s.event_id = d.event_id) as sends, count(*)::int
         from deliveries d group by 1, 2, 3 order by 2`,
      ),
    ).toEqual([
      { state: 'delivered', tries: 1, sends: 1, count: 5 },
      { state: 'delivered', tries: 2, sends: 2, count: 5 },
    ]);
  });
});
