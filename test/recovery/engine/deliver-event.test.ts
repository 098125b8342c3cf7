import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { nextRedelivery } from '../../../src/recovery/engine/deliver-event.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import type { FakeAnswer } from '../../kits/fake-merchant.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A result of which the merchant's server says this. */
async function sent(...answers: readonly FakeAnswer[]): Promise<EngineWorld> {
  const world = await engineWorld();
  world.server.answerWebhooks(...answers);
  await world.submit(failedEvent());
  await world.runUntil(firstTry);
  return world;
}

const down: FakeAnswer = { status: 500, body: { detail: 'Server is unavailable' } };
const up: FakeAnswer = { body: { detail: 'Event delivered successfully' } };

const deliveryOf = async (world: EngineWorld) => (await world.payment()).deliveries[0];

describe('a webhook', () => {
  it('that is acknowledged with 200 is sent once', async () => {
    const world = await sent(up);
    await world.runUntil(addMs(worldStart, 20 * dayMs));
    expect(world.server.webhooks).toHaveLength(1);
    expect(await deliveryOf(world)).toMatchObject({ status: 'delivered', tries: 1 });
  });

  it.each<readonly [string, FakeAnswer]>([
    ['500', down],
    ['201', { status: 201 }],
    ['204', { status: 204, body: '' }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1/' } }],
    ['404', { status: 404 }],
    ['410', { status: 410 }],
    ['a server that hangs', { kind: 'hang' }],
    ['a connection that breaks', { kind: 'destroy' }],
  ])('that meets %s is sent again after 12 hours', async (_, answer) => {
    const world = await sent(answer);
    expect(await deliveryOf(world)).toMatchObject({
      status: 'pending',
      tries: 1,
      nextAttemptAt: addMs(firstTry, 12 * hourMs),
    });
    world.server.answerWebhooks(up);
    await world.runUntil(addMs(firstTry, 12 * hourMs));
    expect(await deliveryOf(world)).toMatchObject({ status: 'delivered', tries: 2 });
    await expectSound(world);
  });

  it('that is never acknowledged is sent every 12 hours for 7 days, then kept', async () => {
    const world = await sent(down);
    await world.runUntil(addMs(worldStart, 20 * dayMs));
    const sends = await world.rows<{ sent_at: Date }>(
      'select sent_at from delivery_sends order by number',
    );
    expect(sends.map((row) => row.sent_at)).toEqual(
      Array.from({ length: 15 }, (_, index) => addMs(firstTry, index * 12 * hourMs)),
    );
    expect(world.server.webhooks).toHaveLength(15);
    expect(await deliveryOf(world)).toMatchObject({
      status: 'exhausted',
      tries: 15,
      lastStatus: 500,
      lastError: expect.stringContaining('server_error'),
    });
    await expectSound(world);
  });

  it('is the same each time, in its bytes and its id, under a fresh expiration and signature', async () => {
    const world = await sent(down);
    await world.runUntil(addMs(firstTry, 3 * dayMs));
    const calls = world.server.webhooks;
    expect(calls).toHaveLength(7);
    const distinct = (of: (call: (typeof calls)[number]) => string) => new Set(calls.map(of)).size;
    expect(distinct((call) => call.rawBody.toString('hex'))).toBe(1);
    expect(distinct((call) => call.deduplicationId)).toBe(1);
    expect(distinct((call) => call.headers['x-service-webhook-signature'] ?? '')).toBe(7);
    expect(calls.every((call) => call.isSigned && !call.isExpired)).toBe(true);
    expect(calls.map((call) => Number(call.headers['x-service-webhook-expiration']))).toEqual(
      calls.map((_, index) => firstTry.getTime() / 1000 + index * 43_200 + 300),
    );
    const [event] = await world.events();
    const md5 = createHash('md5')
      .update(event?.eventId ?? '')
      .digest('hex');
    expect(calls[0]?.deduplicationId).toBe(md5);
    expect(JSON.parse(calls[6]?.rawBody.toString() ?? '')).toMatchObject({
      timestamp: firstTry.toISOString(),
    });
  });

  it('reaches a server that was down for three days', async () => {
    const world = await sent(down);
    await world.runUntil(addMs(firstTry, 3 * dayMs));
    world.server.answerWebhooks(up);
    await world.runUntil(addMs(firstTry, 4 * dayMs));
    expect(await deliveryOf(world)).toMatchObject({ status: 'delivered', tries: 8 });
  });

  it.each([
    ['most of the seven days', 6.6],
    ['weeks', 30],
  ])('has all of its sends though the service stands still for %s', async (_, daysStill) => {
    const world = await sent(down);
    const backAt = addMs(firstTry, daysStill * dayMs);
    world.clock.set(backAt);
    await world.runUntil(addMs(backAt, 20 * dayMs));
    const sends = await world.rows<{ sent_at: Date }>(
      'select sent_at from delivery_sends order by number',
    );
    const lastMark = addMs(firstTry, Math.floor(daysStill * 2) * 12 * hourMs);
    expect(sends.map((row) => row.sent_at)).toEqual([
      firstTry,
      backAt,
      ...Array.from({ length: 13 }, (__, index) => addMs(lastMark, (index + 1) * 12 * hourMs)),
    ]);
    expect(await deliveryOf(world)).toMatchObject({ status: 'exhausted', tries: 15 });
  });

  it('that was exhausted is replayed in a window of its own, under the same id', async () => {
    const world = await sent(down);
    await world.runUntil(addMs(firstTry, 8 * dayMs));
    const [event] = await world.events();
    const { merchantId } = world;
    const replayedAt = world.clock.now();
    const eventId = event?.eventId ?? '';
    expect(await redeliverEvent(world.db, { merchantId, eventId, at: replayedAt })).toEqual({
      kind: 'queued',
    });
    await world.runUntil(addMs(replayedAt, 20 * dayMs));
    expect(await deliveryOf(world)).toMatchObject({ status: 'exhausted', tries: 30 });
    const sends = await world.rows<{ sent_at: Date }>(
      'select sent_at from delivery_sends where number > 15 order by number',
    );
    expect(sends[0]?.sent_at).toEqual(replayedAt);
    expect(sends.at(-1)?.sent_at).toEqual(addMs(replayedAt, 7 * dayMs));
    expect(new Set(world.server.webhooks.map((call) => call.deduplicationId)).size).toBe(1);
    await expectSound(world);
  });

  it('of one event does not wait for that of another', async () => {
    const world = await engineWorld();
    world.server.answerWebhooks((call) => {
      const { invoice_id } = call.json as { invoice_id: string };
      return invoice_id === 'in_bad' ? down : up;
    });
    for (const invoiceId of ['in_bad', 'in_good']) await world.submit(failedEvent({ invoiceId }));
    await world.runUntil(firstTry);
    expect((await world.payment('in_good')).deliveries[0]?.status).toBe('delivered');
    expect((await world.payment('in_bad')).deliveries[0]?.status).toBe('pending');
  });
});

describe('the next redelivery', () => {
  const start = firstTry;
  const following = (hours: number, lateMs = 0) =>
    nextRedelivery(start, addMs(start, hours * hourMs + lateMs));

  it('is at the next of the 12-hour marks, however late a send was', () => {
    expect(following(0)).toEqual(addMs(start, 12 * hourMs));
    expect(following(0, hourMs)).toEqual(addMs(start, 12 * hourMs));
    expect(following(12, 5)).toEqual(addMs(start, 24 * hourMs));
    expect(following(25)).toEqual(addMs(start, 36 * hourMs));
  });

  it('is the last one 7 days after the first send', () => {
    expect(following(167)).toEqual(addMs(start, 168 * hourMs));
    expect(following(168)).toBeUndefined();
    expect(following(500)).toBeUndefined();
  });
});
