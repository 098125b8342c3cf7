import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { pauseFailing } from '../../../src/recovery/endpoints/pause-failing.ts';
import { createEndpointStore } from '../../../src/store/endpoints/endpoint-store.ts';
import { findFailing } from '../../../src/store/endpoints/find-failing.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import type { FakeAnswer } from '../../kits/fake-merchant.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const down: FakeAnswer = { status: 500, body: { detail: 'Server is unavailable' } };
const up: FakeAnswer = { body: { detail: 'Event delivered successfully' } };
const results = ['retry_result'] as const;

async function tried(world: EngineWorld): Promise<void> {
  await world.submit(failedEvent());
  await world.runUntil(firstTry);
}

const statesOf = (world: EngineWorld) =>
  world.rows<{ endpoint_id: string; state: string; tries: number }>(
    'select endpoint_id, state, tries from endpoint_deliveries order by 1',
  );

/** Pausing needs no secrets. */
const storeOf = ({ db }: EngineWorld) => createEndpointStore({ db, sealer: undefined as never });

const pauses = (world: EngineWorld, endpointId: string) => {
  const key = { merchantId: world.merchantId, endpointId };
  const audit = (action: string) => ({ action, detail: {}, at: world.clock.now() });
  const store = storeOf(world);
  return {
    async pause() {
      await store.pause({ key, by: 'operator', audit: audit('endpoint.paused') });
      const webhookPause = { at: world.clock.now(), by: 'operator' } as const;
      if (endpointId === 'primary') world.changeMerchant(world.merchantId, { webhookPause });
    },
    resume: () => store.resume({ key, audit: audit('endpoint.resumed') }),
  };
};

describe('an event', () => {
  it('goes to each endpoint that takes its type, under its own secret and headers', async () => {
    const world = await engineWorld();
    const one = await world.addEndpoint({ eventTypes: results, headers: { 'x-team': 'one' } });
    const other = await world.addEndpoint({ eventTypes: ['incident', 'retry_result'] });
    const deaf = await world.addEndpoint({ eventTypes: ['incident'] });
    await tried(world);
    const [first] = world.server.webhooks;
    for (const { server } of [one, other]) {
      expect(server.webhooks).toHaveLength(1);
      expect(server.webhooks[0]).toMatchObject({ isSigned: true, isExpired: false });
      expect(server.webhooks[0]?.rawBody).toEqual(first?.rawBody);
      expect(server.webhooks[0]?.deduplicationId).toBe(first?.deduplicationId);
    }
    expect(one.server.webhooks[0]?.headers['x-team']).toBe('one');
    expect(deaf.server.webhooks).toEqual([]);
    expect(await statesOf(world)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
    await expectSound(world);
  });

  it('makes no row more where there is no further endpoint', async () => {
    const world = await engineWorld();
    await tried(world);
    expect(await statesOf(world)).toEqual([]);
  });

  it('is redelivered to each by itself: in its own rhythm, and not for what others accepted', async () => {
    const world = await engineWorld();
    const slow = await world.addEndpoint({ eventTypes: results });
    const quick = await world.addEndpoint({ eventTypes: results, quickSends: true });
    world.server.answerWebhooks(up);
    slow.server.answerWebhooks(down, up);
    quick.server.answerWebhooks(down, down, up);
    await tried(world);
    await world.runUntil(addMs(firstTry, 2 * minuteMs));
    expect(await statesOf(world)).toMatchObject([
      { endpoint_id: slow.endpointId, state: 'pending', tries: 1 },
      { endpoint_id: quick.endpointId, state: 'delivered', tries: 3 },
    ]);
    await world.runUntil(addMs(firstTry, 12 * hourMs));
    expect(slow.server.webhooks).toHaveLength(2);
    expect(world.server.webhooks).toHaveLength(1);
    await expectSound(world);
  });

  it('is given up after seven days by an endpoint that takes nothing, send by send', async () => {
    const world = await engineWorld();
    const { server } = await world.addEndpoint({ eventTypes: results });
    server.answerWebhooks(down);
    await tried(world);
    await world.runUntil(addMs(firstTry, 8 * dayMs));
    expect(server.webhooks).toHaveLength(15);
    expect(await statesOf(world)).toMatchObject([{ state: 'exhausted', tries: 15 }]);
    const sends = await world.rows<{ number: number; answer: string }>(
      'select number, answer from endpoint_delivery_sends order by number',
    );
    expect(sends.map(({ number }) => number)).toEqual(
      Array.from({ length: 15 }, (_, at) => at + 1),
    );
    expect(sends[0]?.answer).toContain('unavailable');
  });

  it('is sent no more to an endpoint that was removed', async () => {
    const world = await engineWorld();
    const { server, endpointId } = await world.addEndpoint({ eventTypes: results });
    server.answerWebhooks(down);
    await tried(world);
    await world.rows('update endpoints set removed_at = $1 where endpoint_id = $2', [
      world.clock.now(),
      endpointId,
    ]);
    await world.runUntil(addMs(firstTry, 2 * dayMs));
    expect(server.webhooks).toHaveLength(1);
    expect(await statesOf(world)).toMatchObject([{ state: 'exhausted' }]);
    await world.submit(failedEvent({ invoiceId: 'in_2' }));
    await world.runUntil(addMs(firstTry, 4 * dayMs));
    expect(await statesOf(world)).toHaveLength(1);
  });
});

describe('an endpoint that is paused', () => {
  it.each(['primary', 'further'])(
    'is sent nothing, and has all of its 15 sends afterwards (%s)',
    async (which) => {
      const world = await engineWorld();
      const further = await world.addEndpoint({ eventTypes: results });
      const { server, endpointId } =
        which === 'further' ? further : { server: world.server, endpointId: 'primary' };
      server.answerWebhooks(down);
      await tried(world);
      expect(server.webhooks).toHaveLength(1);
      const { pause, resume } = pauses(world, endpointId);
      await pause();
      await world.runUntil(addMs(firstTry, 20 * dayMs));
      expect(server.webhooks).toHaveLength(1);
      await resume();
      await world.runUntil(addMs(firstTry, 30 * dayMs));
      expect(server.webhooks).toHaveLength(15);
      await expectSound(world);
    },
  );

  it('does not hold up the others', async () => {
    const world = await engineWorld();
    const paused = await world.addEndpoint({ eventTypes: results });
    const other = await world.addEndpoint({ eventTypes: results });
    await pauses(world, paused.endpointId).pause();
    await tried(world);
    expect(paused.server.webhooks).toEqual([]);
    expect(other.server.webhooks).toHaveLength(1);
    expect(world.server.webhooks).toHaveLength(1);
  });
});

describe('days of nothing but failures', () => {
  const look = async (world: EngineWorld) => {
    const store = storeOf(world);
    const at = world.clock.now();
    const findNow = (now: Date) => findFailing(world.db, now);
    await pauseFailing({ store, findFailing: findNow, log: world.deps.log }, at);
    const [row] = await world.rows<{ by: string | null }>('select paused_by as by from endpoints');
    return row?.by;
  };

  /** An event of its own on each of the first days, sent before the next one. */
  async function eachDay(world: EngineWorld, days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      const invoiceId = `in_${day}`;
      await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
      await world.runUntil(addMs(firstTry, day * dayMs));
    }
  }

  it('pause an endpoint after as many as it allows, with a line of the audit log', async () => {
    const world = await engineWorld();
    const { server } = await world.addEndpoint({ eventTypes: results, pauseAfterDays: 3 });
    server.answerWebhooks(down);
    await tried(world);
    await world.runUntil(addMs(firstTry, 3 * dayMs - minuteMs));
    expect(await look(world)).toBeNull();
    await world.runUntil(addMs(firstTry, 3 * dayMs));
    expect(await look(world)).toBe('failures');
    const lines = await world.rows('select action, detail from audit_log');
    expect(lines).toMatchObject([
      { action: 'endpoint.paused', detail: { failing_since: firstTry.toISOString() } },
    ]);
  });

  it('pause none that never asked for it, and none that took something meanwhile', async () => {
    const world = await engineWorld();
    const { server } = await world.addEndpoint({ eventTypes: results, pauseAfterDays: 3 });
    server.answerWebhooks((call) =>
      (call.json as { invoice_id: string }).invoice_id === 'in_1' ? down : up,
    );
    world.server.answerWebhooks(down);
    await tried(world);
    await world.submit(failedEvent({ invoiceId: 'in_2' }));
    await world.runUntil(addMs(firstTry, 5 * dayMs));
    expect(await look(world)).toBeNull();
    const [own] = await world.rows('select webhook_paused_at as at from merchants');
    expect(own).toEqual({ at: null });
  });

  it('are counted over events that were given up, where more are allowed than one is sent for', async () => {
    const world = await engineWorld();
    const { server } = await world.addEndpoint({ eventTypes: results, pauseAfterDays: 10 });
    server.answerWebhooks(down);
    await eachDay(world, 10);
    expect(await look(world)).toBeNull();
    await world.runUntil(addMs(firstTry, 10 * dayMs));
    expect(await look(world)).toBe('failures');
    const [line] = await world.rows('select detail from audit_log');
    expect(line).toMatchObject({ detail: { failing_since: firstTry.toISOString() } });
  });

  it('are none where an event was taken between those that were given up', async () => {
    const world = await engineWorld();
    const { server } = await world.addEndpoint({ eventTypes: results, pauseAfterDays: 10 });
    server.answerWebhooks((call) =>
      (call.json as { invoice_id: string }).invoice_id === 'in_3' ? up : down,
    );
    await eachDay(world, 11);
    await world.runUntil(addMs(firstTry, 12 * dayMs));
    expect(await look(world)).toBeNull();
    await world.submit(failedEvent({ invoiceId: 'in_late', methods: cardsOf('in_late') }));
    await world.runUntil(addMs(firstTry, 14 * dayMs));
    expect(await look(world)).toBe('failures');
  });

  it('are none where it took an event that had been kept for it for long', async () => {
    const world = await engineWorld();
    const { server, endpointId } = await world.addEndpoint({
      eventTypes: results,
      pauseAfterDays: 3,
    });
    server.answerWebhooks((call) =>
      (call.json as { invoice_id: string }).invoice_id === 'in_1' ? down : up,
    );
    await pauses(world, endpointId).pause();
    await world.submit(failedEvent({ invoiceId: 'in_2', methods: cardsOf('in_2') }));
    await tried(world);
    await world.runUntil(addMs(firstTry, 20 * dayMs));
    await pauses(world, endpointId).resume();
    world.clock.passMs(1);
    await world.runUntil(addMs(firstTry, 24 * dayMs));
    expect((await statesOf(world)).map(({ state }) => state).toSorted()).toEqual([
      'delivered',
      'pending',
    ]);
    expect(await look(world)).toBeNull();
  });

  it('count from the last resumption', async () => {
    const world = await engineWorld();
    const { server, endpointId } = await world.addEndpoint({
      eventTypes: results,
      pauseAfterDays: 3,
    });
    server.answerWebhooks(down);
    await tried(world);
    await world.runUntil(addMs(firstTry, 3 * dayMs));
    expect(await look(world)).toBe('failures');
    await pauses(world, endpointId).resume();
    expect(await look(world)).toBeNull();
  });
});
