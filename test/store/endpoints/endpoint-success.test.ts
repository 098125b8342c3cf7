import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { readEndpointSuccess } from '../../../src/store/endpoints/endpoint-success.ts';
import { readEndpointHealth } from '../../../src/store/reports/endpoint-health.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import type { FakeAnswer, FakeMerchant } from '../../kits/fake-merchant.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const down: FakeAnswer = { status: 500, body: { detail: 'Server is unavailable' } };
const up: FakeAnswer = { body: { detail: 'Event delivered successfully' } };

/** Takes everything but the first send of some invoices and every send of others. */
function answers(server: FakeMerchant): void {
  const seen = new Set<string>();
  server.answerWebhooks((call) => {
    const { invoice_id: invoice } = call.json as { invoice_id: string };
    const isFirst = !seen.has(invoice);
    seen.add(invoice);
    if (invoice.startsWith('in_never')) return down;
    return invoice.startsWith('in_second') && isFirst ? down : up;
  });
}

async function withSends(): Promise<{ world: EngineWorld; endpointId: string }> {
  const world = await engineWorld();
  const { server, endpointId } = await world.addEndpoint({ eventTypes: ['retry_result'] });
  for (const each of [server, world.server]) answers(each);
  const invoices = ['in_first_1', 'in_first_2', 'in_first_3', 'in_second_1', 'in_never_1'];
  for (const invoiceId of invoices) {
    await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
  }
  await world.runUntil(firstTry);
  return { world, endpointId };
}

const read = (world: EngineWorld, endpointId: string, days: number) =>
  readEndpointSuccess(world.db, {
    merchantId: world.merchantId,
    endpointId,
    days,
    now: world.clock.now(),
  });

describe('how an endpoint did', () => {
  it.each(['primary', 'further'])(
    'is what its server saw of first sends, whatever came after (%s)',
    async (which) => {
      const { world, endpointId } = await withSends();
      const id = which === 'primary' ? 'primary' : endpointId;
      const first = await read(world, id, 7);
      expect(first.step).toBe('day');
      expect(first.points).toHaveLength(7);
      expect(first.points.at(-1)).toMatchObject({
        sent: 5,
        accepted: 3,
        durationMs: { median: expect.any(Number), p95: expect.any(Number) },
      });
      expect(first.points.slice(0, -1).every(({ sent }) => sent === 0)).toBe(true);
      await world.runUntil(addMs(firstTry, 9 * dayMs));
      const { points } = await read(world, id, 30);
      const day = points.find(({ sent }) => sent > 0);
      expect(day).toMatchObject({ sent: 5, accepted: 3 });
    },
  );

  it('stays the same where what was accepted is sent again', async () => {
    const { world } = await withSends();
    const events = await world.rows<{ event_id: string }>(
      `select event_id from events where invoice_id in ('in_first_1', 'in_never_1')`,
    );
    for (const { event_id: eventId } of events) {
      const { merchantId } = world;
      await redeliverEvent(world.db, { merchantId, eventId, at: world.clock.now() });
    }
    const before = await read(world, 'primary', 7);
    expect(before.points.at(-1)).toMatchObject({ sent: 5, accepted: 3 });
    await world.runUntil(addMs(firstTry, hourMs));
    const { points } = await read(world, 'primary', 7);
    expect(points.at(-1)).toMatchObject({ sent: 5, accepted: 3 });
  });

  it('is not to fail while what was accepted waits to be sent again, as what was refused does', async () => {
    const { world } = await withSends();
    const waiting = async () => {
      const [own] = await readEndpointHealth(world.db, { now: world.clock.now() });
      return own?.waiting;
    };
    expect(await waiting()).toBe(2);
    const events = await world.rows<{ event_id: string }>(
      `select event_id from events where invoice_id in ('in_first_1', 'in_never_1')`,
    );
    for (const { event_id: eventId } of events) {
      const { merchantId } = world;
      await redeliverEvent(world.db, { merchantId, eventId, at: world.clock.now() });
    }
    expect(await waiting()).toBe(2);
  });

  it('is shown by hours for a day or two', async () => {
    const { world } = await withSends();
    const { step, points } = await read(world, 'primary', 1);
    expect([step, points.length]).toEqual(['hour', 24]);
    expect(points.at(-1)).toMatchObject({ sent: 5, accepted: 3 });
  });
});
