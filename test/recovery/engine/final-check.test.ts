import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs, secondMs } from '../../../src/domain/clock.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import type { FakeAnswer } from '../../kits/fake-merchant.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const yes: FakeAnswer = { body: { retry: true, reason: 'Invoice open' } };

/** A payment whose first try just met this answer. */
async function answered(...answers: readonly FakeAnswer[]): Promise<EngineWorld> {
  const world = await engineWorld();
  world.server.answerLookups(...answers);
  await world.submit(failedEvent({ custom: { plan: 'gold' } }));
  await world.runUntil(firstTry);
  return world;
}

describe('a yes', () => {
  it('is asked for with the custom fields, and leads to the charge', async () => {
    const world = await answered(yes);
    expect(world.server.lookups).toMatchObject([
      { invoiceId: 'in_1', json: { custom: { plan: 'gold' } } },
    ]);
    const { status, attempts } = await world.payment();
    expect(status).toBe('recovered');
    expect(attempts[0]?.check).toEqual({
      retry: true,
      reason: 'Invoice open',
      answered_at: firstTry.toISOString(),
    });
  });

  it('is asked for before every try anew', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_success_after_3'] }));
    await world.runUntil(addMs(worldStart, 10 * dayMs));
    expect(world.server.lookups).toHaveLength(3);
  });
});

describe('a no', () => {
  it.each([
    'User Cancelation',
    'Dunning Window Reached',
    'User Recovered via Payment Method Update',
    'User Outstanding Invoice Forgiven',
    'Other',
  ])('for the reason %j stops the payment, and keeps the reason', async (reason) => {
    const world = await answered({ body: { retry: false, reason } });
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'merchant_declined_retry',
      stopDetail: reason,
      attemptCount: 0,
      attempts: [{ status: 'not_attempted', check: { retry: false, reason }, transactions: [] }],
    });
    expect(await world.ledger()).toEqual([]);
    expect(await world.events()).toEqual([]);
    await expectSound(world);
  });

  it('stops the payment too where the rest of the answer is nonsense', async () => {
    const world = await answered({ body: { retry: false, reason: 'x', amount: 'lots' } });
    expect((await world.payment()).status).toBe('stopped');
  });

  it('of 404 stops the payment, in the merchant’s words', async () => {
    const detail = 'An invoice with the provided ID cannot be found';
    const world = await answered({ status: 404, body: { detail } });
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'invoice_not_found',
      stopDetail: detail,
    });
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });
});

describe('no usable answer', () => {
  const notAnswers: readonly (readonly [string, FakeAnswer])[] = [
    ['401', { status: 401, body: { detail: 'Missing or invalid api key' } }],
    ['403', { status: 403 }],
    ['500', { status: 500, body: { detail: 'A server error has occurred' } }],
    ['502 as HTML', { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['404 of a web server', { status: 404, body: 'not here' }],
    ['a redirect', { status: 302, headers: { location: 'https://example.org/retry' } }],
    ['204 without a body', { status: 204, body: '' }],
    ['201 with a yes', { status: 201, body: { retry: true, reason: 'open' } }],
    ['a server that hangs', { kind: 'hang' }],
    ['a body that never ends', { kind: 'drip_body' }],
    ['a huge body', { kind: 'huge', bytes: 1_000_000 }],
    ['half a yes', { kind: 'cut', body: '{"retry":true,"reason":"open"}', sentBytes: 20 }],
    ['half JSON', { body: '{"retry":true,"reason":"op' }],
    [
      'a yes as HTML',
      { body: '{"retry":true,"reason":""}', headers: { 'content-type': 'text/html' } },
    ],
    ['a connection that breaks', { kind: 'destroy' }],
    ['retry as a text', { body: { retry: 'true', reason: 'open' } }],
    ['retry as a number', { body: { retry: 1, reason: 'open' } }],
    ['no reason', { body: { retry: true } }],
    ['a list', { body: [{ retry: true, reason: 'open' }] }],
    ['null', { body: 'null' }],
    ['retry twice', { body: '{"retry":false,"retry":true,"reason":"open"}' }],
  ];

  it.each(notAnswers)('(%s) postpones the try and charges nothing', async (_, answer) => {
    const world = await answered(answer);
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attemptCount: 0,
      nextAttemptAt: addMs(firstTry, minuteMs),
      attempts: [{ status: 'not_attempted', transactions: [] }],
    });
    expect(await world.ledger()).toEqual([]);
    expect(await world.events()).toEqual([]);
    expect(world.log.filter((line) => line.includes('no usable answer'))).toHaveLength(1);
    world.server.answerLookups(yes);
    await world.runUntil(addMs(firstTry, minuteMs));
    expect((await world.payment()).status).toBe('recovered');
    await expectSound(world);
  });

  it('postpones longer each time, and goes on to the end of the window', async () => {
    const world = await engineWorld({ policy: { windowDays: 2, fixedDays: [1] } });
    world.server.answerLookups({ status: 500 });
    await world.submit(failedEvent());
    await world.runUntil(addMs(worldStart, 2 * dayMs));
    const payment = await world.payment();
    const waits = payment.attempts.slice(1).map((attempt, index) => {
      const before = payment.attempts[index]?.startedAt ?? firstTry;
      return (attempt.startedAt.getTime() - before.getTime()) / minuteMs;
    });
    expect(waits).toEqual([1, 5, 30, 120, 360, 360, 360]);
    expect(payment).toMatchObject({ status: 'exhausted', attemptCount: 0 });
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('spends none of the tries', async () => {
    const world = await engineWorld({ policy: { maxAttempts: 1 } });
    world.server.answerLookups({ status: 500 }, { status: 500 }, yes);
    await world.submit(failedEvent());
    await world.runUntil(addMs(firstTry, hourMs));
    expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 1 });
  });
});

describe('429', () => {
  const retryAfter = (text: string): FakeAnswer => ({
    status: 429,
    headers: { 'retry-after': text },
  });

  it.each([
    ['90', 90 * secondMs],
    [addMs(firstTry, 3 * hourMs).toUTCString(), 3 * hourMs],
    ['0', minuteMs],
    ['5', minuteMs],
    ['99999999', dayMs],
    ['soon', minuteMs],
  ])('with Retry-After: %s is honoured', async (text, waitMs) => {
    const world = await answered(retryAfter(text));
    expect((await world.payment()).nextAttemptAt).toEqual(addMs(firstTry, waitMs));
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('without one is waited out, longer each time', async () => {
    const world = await answered({ status: 429 });
    const second = addMs(firstTry, minuteMs);
    expect((await world.payment()).nextAttemptAt).toEqual(second);
    await world.runUntil(second);
    const { nextAttemptAt } = await world.payment();
    const waitMs = (nextAttemptAt?.getTime() ?? 0) - second.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(5 * minuteMs);
    expect(waitMs).toBeLessThan(7.5 * minuteMs);
  });

  it('again and again is waited out longer each time, whatever it says', async () => {
    const world = await answered(retryAfter('1'));
    await world.runUntil(addMs(firstTry, 12 * hourMs));
    expect(world.server.lookups.length).toBeLessThan(8);
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('to many payments at once is not followed by all of them at once again', async () => {
    const world = await engineWorld();
    const perMinute = new Map<number, number>();
    world.server.answerLookups(() => {
      const minute = Math.floor(world.clock.now().getTime() / minuteMs);
      const count = (perMinute.get(minute) ?? 0) + 1;
      perMinute.set(minute, count);
      return count > 2 ? retryAfter('60') : yes;
    });
    const ids = Array.from({ length: 24 }, (_, index) => `in_${index}`);
    for (const invoiceId of ids) {
      const methods = [`pm_sandbox_success--${invoiceId}`];
      await world.submit(failedEvent({ invoiceId, customerId: `cus_of_${invoiceId}`, methods }));
    }
    await world.runUntil(addMs(firstTry, 6 * hourMs));
    const payments = await Promise.all(ids.map((invoiceId) => world.payment(invoiceId)));
    expect(payments.filter(({ status }) => status === 'recovered')).toHaveLength(24);
    await expectSound(world);
  });

  it('is honoured no further than the end of the window', async () => {
    const world = await engineWorld({ policy: { windowDays: 1, fixedDays: [1] } });
    world.server.answerLookups(retryAfter('90'));
    await world.submit(failedEvent());
    await world.runUntil(firstTry);
    expect(await world.payment()).toMatchObject({ status: 'exhausted' });
  });
});

describe('the answered amount', () => {
  const amount = (value: unknown): FakeAnswer => ({
    body: JSON.stringify({ retry: true, reason: 'open' }).replace('}', `,"amount":${value}}`),
  });

  it('is charged where it is lower than what is owed', async () => {
    const world = await answered(amount('5.10'));
    expect(await world.ledger()).toMatchObject([{ amount: 510, currency: 'USD' }]);
    const [event] = await world.events();
    expect(event?.body).toMatchObject({ original_amount: 12.23, amount_collected: 5.1 });
    expect(await world.payment()).toMatchObject({
      status: 'recovered',
      amountMinor: 1223,
      attempts: [{ amountMinor: 510 }],
    });
    await expectSound(world);
  });

  it('is charged where it is all that is owed', async () => {
    const world = await answered(amount('12.23'));
    expect(await world.ledger()).toMatchObject([{ amount: 1223 }]);
  });

  it.each([
    ['12.24', 'the answered amount is higher than the 12.23 USD owed'],
    ['1e15', 'the answered amount is not one of USD'],
    ['5.001', 'the answered amount is not one of USD'],
    ['1e-9', 'the answered amount is not one of USD'],
  ])('%s is refused, and nothing is charged', async (value, refused) => {
    const world = await answered(amount(value));
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      nextAttemptAt: addMs(firstTry, minuteMs),
      attempts: [{ status: 'not_attempted', check: { retry: true, refused } }],
    });
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it.each(['0', '-1', '"5.10"'])('%s is refused as malformed', async (value) => {
    const world = await answered(amount(value));
    const { status, attempts } = await world.payment();
    expect(status).toBe('scheduled');
    expect(attempts[0]?.check).toMatchObject({ cause: 'malformed' });
    expect(await world.ledger()).toEqual([]);
  });
});
