import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { listEvents, redeliverEvent } from '../../../src/store/views/event-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

/** So many recovered payments, each with its event. */
async function withEvents(count: number): Promise<EngineWorld> {
  const world = await engineWorld();
  for (let index = 0; index < count; index += 1) {
    await world.submit(failedEvent({ invoiceId: `in_${index}` }));
  }
  await world.runUntil(addMs(worldStart, dayMs));
  return world;
}

describe('the event log', () => {
  it('is in sequence order, with the body as it is sent', async () => {
    const world = await withEvents(3);
    const { items, nextCursor } = await listEvents(world.db, {
      merchantId: world.merchantId,
      limit: 10,
    });
    expect(nextCursor).toBeUndefined();
    expect(items.map((event) => event.sequence)).toEqual([1n, 2n, 3n]);
    const sent = world.server.webhooks.map((call) => call.json);
    for (const event of items) {
      expect(sent).toContainEqual(event.body);
      expect(event).toMatchObject({
        type: 'retry_result',
        createdAt: addMs(worldStart, dayMs),
        delivery: { eventId: event.eventId, status: 'delivered', tries: 1 },
      });
    }
  });

  it('is read on from the last number that was read', async () => {
    const world = await withEvents(5);
    const { merchantId } = world;
    const numbers: bigint[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEvents(world.db, {
        merchantId,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      numbers.push(...page.items.map((event) => event.sequence));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(numbers).toEqual([1n, 2n, 3n, 4n, 5n]);
    const after = await listEvents(world.db, { merchantId, limit: 10, cursor: '3' });
    expect(after.items.map((event) => event.sequence)).toEqual([4n, 5n]);
    expect((await listEvents(world.db, { merchantId, limit: 10, cursor: '99' })).items).toEqual([]);
  });

  it.each(['', '-1', '1.5', 'abc', '1 or 1=1', '9'.repeat(19)])(
    'refuses a cursor that it did not give: %j',
    async (cursor) => {
      const world = await engineWorld();
      const listing = listEvents(world.db, { merchantId: world.merchantId, limit: 1, cursor });
      await expect(listing).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  it('is a merchant’s own', async () => {
    const world = await withEvents(1);
    const { merchantId } = await world.addMerchant();
    expect((await listEvents(world.db, { merchantId, limit: 10 })).items).toEqual([]);
    const eventId = (await world.events())[0]?.eventId ?? '';
    const at = world.clock.now();
    expect(await redeliverEvent(world.db, { merchantId, eventId, at })).toEqual({
      kind: 'not_found',
    });
  });
});

describe('a replay', () => {
  it('sends a delivered event again, at once, with the same bytes', async () => {
    const world = await withEvents(1);
    const eventId = (await world.events())[0]?.eventId ?? '';
    world.clock.passMs(hourMs);
    const { merchantId } = world;
    expect(await redeliverEvent(world.db, { merchantId, eventId, at: world.clock.now() })).toEqual({
      kind: 'queued',
    });
    const [queued] = (await world.payment('in_0')).deliveries;
    expect(queued).toMatchObject({ status: 'pending', nextAttemptAt: world.clock.now() });
    expect(queued).not.toHaveProperty('deliveredAt');
    await world.settle();
    const [first, second, ...others] = world.server.webhooks;
    expect(others).toEqual([]);
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(second?.deduplicationId).toBe(first?.deduplicationId);
    expect((await world.payment('in_0')).deliveries[0]).toMatchObject({
      status: 'delivered',
      tries: 2,
      deliveredAt: world.clock.now(),
    });
  });

  it('of an event that is none is not found', async () => {
    const world = await engineWorld();
    const { merchantId } = world;
    const input = { merchantId, eventId: 'evt_none', at: worldStart };
    expect(await redeliverEvent(world.db, input)).toEqual({ kind: 'not_found' });
  });
});
