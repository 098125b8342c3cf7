import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs, secondMs } from '../../../src/domain/clock.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import type { FakeAnswer } from '../../kits/fake-merchant.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A result of which the merchant's server says this. */
const sent = (...answers: readonly FakeAnswer[]) => sentBy({}, ...answers);

async function sentBy(
  options: Parameters<typeof engineWorld>[0],
  ...answers: readonly FakeAnswer[]
): Promise<EngineWorld> {
  const world = await engineWorld(options);
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

  it('of an endpoint with quick sends is sent after 5 s, 1 min, 10 min and 1 h, then as every other', async () => {
    const world = await sentBy({ webhookQuickSends: true }, down);
    await world.runUntil(addMs(worldStart, 20 * dayMs));
    const sends = await world.rows<{ after_ms: number }>(
      `select (1000 * extract(epoch from sent_at - min(sent_at) over ()))::float8 as after_ms
       from delivery_sends order by number`,
    );
    const quickMs = [5 * secondMs, minuteMs, 10 * minuteMs, hourMs];
    const marksMs = quickMs.map((_, at) => quickMs.slice(0, at + 1).reduce((a, b) => a + b));
    expect(sends.map((row) => row.after_ms)).toEqual([
      0,
      ...marksMs,
      ...Array.from({ length: 14 }, (_, index) => (index + 1) * 12 * hourMs),
    ]);
    expect(await deliveryOf(world)).toMatchObject({ status: 'exhausted', tries: 19 });
    await expectSound(world);
  });

  it('that a minute of outage refused arrives within that minute, where its endpoint has quick sends', async () => {
    const world = await sentBy({ webhookQuickSends: true }, down, down, up);
    await world.runUntil(addMs(firstTry, 2 * minuteMs));
    expect(await deliveryOf(world)).toMatchObject({
      status: 'delivered',
      tries: 3,
      deliveredAt: addMs(firstTry, minuteMs + 5 * secondMs),
    });
  });

  it('that was not acknowledged keeps what the server said, send by send', async () => {
    const world = await sent(down, { status: 503, body: { detail: 'Be back soon' } }, up);
    await world.runUntil(addMs(firstTry, dayMs));
    const kept = await world.rows('select status, answer from delivery_sends order by number');
    expect(kept).toEqual([
      { status: 500, answer: '{"detail":"Server is unavailable"}' },
      { status: 503, answer: '{"detail":"Be back soon"}' },
      { status: 200, answer: null },
    ]);
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
