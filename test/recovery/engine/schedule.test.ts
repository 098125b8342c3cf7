import { describe, expect, it } from 'vitest';
import { addMs, dayMs, secondMs } from '../../../src/domain/clock.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';

const engineWorld = useEngineWorld();
const day = (days: number): Date => addMs(worldStart, days * dayMs);

/** When each charge of an invoice was made at the PSP, and how it ended. */
async function chargesOf(world: EngineWorld, invoiceId = 'in_1') {
  const charges = await world.ledger(invoiceId);
  return charges.map((charge) => [charge.created_at, charge.status]);
}

describe('a failed payment', () => {
  it('is tried after 1, 3, 5 and 7 days, and exhausted when its window ends', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(day(27.9));
    const declined = [1, 3, 5, 7].map((days) => [day(days).toISOString(), 'declined']);
    expect(await chargesOf(world)).toEqual(declined);
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attemptCount: 4,
      decision: { kind: 'wait_for_update' },
    });
    await world.runUntil(day(28));
    expect(await world.payment()).toMatchObject({ status: 'exhausted', updatedAt: day(28) });
    expect(await world.events()).toHaveLength(4);
    await expectSound(world);
  });

  it('is recovered by the third try, with one event for each', async () => {
    const world = await engineWorld();
    const event = failedEvent({
      methods: ['pm_sandbox_success_after_3'],
      custom: { plan: 'gold' },
    });
    await world.submit(event);
    await world.runUntil(day(30));
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'recovered', attemptCount: 3, updatedAt: day(5) });
    expect(payment.nextAttemptAt).toBeUndefined();
    expect(payment.attempts.map((attempt) => [attempt.number, attempt.status])).toEqual([
      [1, 'declined'],
      [2, 'declined'],
      [3, 'succeeded'],
    ]);
    expect(world.server.webhooks.map((call) => call.json)).toMatchObject([
      { success: false, service_id: payment.attempts[0]?.attemptId },
      { success: false, service_id: payment.attempts[1]?.attemptId },
      { success: true, service_id: payment.attempts[2]?.attemptId, custom: { plan: 'gold' } },
    ]);
    expect(world.server.webhooks.every((call) => call.isSigned && !call.isExpired)).toBe(true);
    await expectSound(world);
  });

  it('shows its plan from the moment it is applied', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    expect((await world.payment()).nextAttemptAt).toBeUndefined();
    await world.settle();
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      nextAttemptAt: day(1),
      decision: { kind: 'attempt', at: day(1).toISOString(), methods: ['pm_sandbox_success'] },
    });
  });

  it('is exhausted by its budget, before its window ends', async () => {
    const world = await engineWorld({ policy: { maxAttempts: 2 } });
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(day(6));
    expect(await world.payment()).toMatchObject({ status: 'exhausted', updatedAt: day(3) });
    expect(await world.ledger()).toHaveLength(2);
    await expectSound(world);
  });

  it('keeps the window and the budget that it began with', async () => {
    const world = await engineWorld({ policy: { maxAttempts: 2, windowDays: 10 } });
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.settle();
    world.changeMerchant(world.merchantId, { policy: { maxAttempts: 8, windowDays: 60 } });
    await world.runUntil(day(20));
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'exhausted', attemptCount: 2, windowEndsAt: day(10) });
  });

  it('is tried evenly over its window, the last time at its end', async () => {
    const policy = { kind: 'even', maxAttempts: 4, windowDays: 8 } as const;
    const world = await engineWorld({ policy });
    await world.submit(failedEvent({ methods: ['pm_sandbox_success_after_4'] }));
    await world.runUntil(day(9));
    expect((await world.payment()).status).toBe('recovered');
    expect((await chargesOf(world)).map(([at]) => at)).toEqual(
      [2, 4, 6, 8].map((days) => day(days).toISOString()),
    );
  });

  it('is tried at the last moment of its window, although claiming takes a moment', async () => {
    const world = await engineWorld({ policy: { fixedDays: [7], windowDays: 7 } });
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(addMs(day(7), secondMs));
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
  });

  it('is not tried when its turn comes long after the window', async () => {
    const world = await engineWorld({ policy: { fixedDays: [7], windowDays: 7 } });
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(day(8));
    await world.settle();
    expect((await world.payment()).status).toBe('exhausted');
    expect(world.server.lookups).toEqual([]);
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('that was reported late is tried once at once, not once for each time that passed', async () => {
    const world = await engineWorld();
    const event = failedEvent({ at: day(-4), methods: ['pm_sandbox_decline_51'] });
    await world.submit(event);
    await world.runUntil(day(0.5));
    expect((await chargesOf(world)).map(([at]) => at)).toEqual([worldStart.toISOString()]);
    expect((await world.payment()).nextAttemptAt).toEqual(day(1));
  });

  it('whose window is over when it is reported is exhausted without a try', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ at: day(-40) }));
    await world.settle();
    expect((await world.payment()).status).toBe('exhausted');
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('begins its window now where the merchant’s clock runs ahead', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ at: day(3) }));
    await world.settle();
    expect(await world.payment()).toMatchObject({ failedAt: worldStart, nextAttemptAt: day(1) });
  });
});

describe('the end of dunning', () => {
  it('is told once to a merchant that asked for it, after the last result', async () => {
    const world = await engineWorld({ endOfDunning: true });
    await world.submit(failedEvent({ custom: { a: 1 } }));
    await world.runUntil(day(2));
    const events = await world.events();
    expect(events.map((event) => event.type)).toEqual(['retry_result', 'end_of_dunning']);
    expect(events[1]?.body).toEqual({
      timestamp: day(1).toISOString(),
      invoice_id: 'in_1',
      recovered: true,
      custom: { a: 1 },
    });
    expect(world.server.webhooks.map((call) => call.type).sort()).toEqual([
      'end_of_dunning',
      'retry_result',
    ]);
    await expectSound(world);
  });

  it.each([
    ['exhausted', failedEvent({ methods: ['pm_sandbox_decline_43'] }), []],
    ['stopped', failedEvent(), [{ body: { retry: false, reason: 'User Cancelation' } }]],
  ])('is told of a payment that is %s, as not recovered', async (status, event, lookups) => {
    const world = await engineWorld({ endOfDunning: true });
    world.server.answerLookups(...lookups, { body: { retry: true, reason: 'open' } });
    await world.submit(event);
    await world.runUntil(day(29));
    expect((await world.payment()).status).toBe(status);
    const ends = (await world.events()).filter((item) => item.type === 'end_of_dunning');
    expect(ends.map((item) => item.body.recovered)).toEqual([false]);
    await expectSound(world);
  });

  it('is not told to a merchant that did not ask for it', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.runUntil(day(29));
    expect((await world.events()).map((event) => event.type)).toEqual(['retry_result']);
  });
});
