import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, type MerchantOptions, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';

const engineWorld = useEngineWorld();
const hours = (count: number): Date => addMs(worldStart, count * hourMs);

async function planned(
  methods: readonly string[] = ['pm_sandbox_decline_51'],
  options: MerchantOptions = {},
): Promise<EngineWorld> {
  const world = await engineWorld(options);
  await world.submit(failedEvent({ methods }));
  await world.settle();
  return world;
}

const triedAt = async (world: EngineWorld) =>
  (await world.ledger()).map((charge) => new Date(charge.created_at));

describe('a retry that is asked for', () => {
  it('is made now, through the merchant’s check, and the schedule goes on', async () => {
    const world = await planned();
    world.clock.set(hours(5));
    expect(await world.retry('in_1')).toEqual({ kind: 'scheduled', nextAttemptAt: hours(5) });
    await world.runUntil(hours(30));
    expect(await triedAt(world)).toEqual([hours(5), hours(24)]);
    expect(world.server.lookups).toHaveLength(2);
    const { attempts } = await world.payment();
    expect(attempts[0]?.decision).toMatchObject({
      policy: 'client_retry',
      because: 'asked for now',
    });
    await expectSound(world);
  });

  it('leaves the payment in the arm that it had', async () => {
    const world = await planned();
    await world.rows(`update payments set decision = decision || '{"payment_arm": "holdout"}'`);
    await world.retry('in_1');
    expect((await world.payment()).decision).toMatchObject({
      policy: 'client_retry',
      payment_arm: 'holdout',
    });
  });

  it('is made at the time that was asked for', async () => {
    const world = await planned();
    expect(await world.retry('in_1', hours(7))).toEqual({
      kind: 'scheduled',
      nextAttemptAt: hours(7),
    });
    expect((await world.payment()).nextAttemptAt).toEqual(hours(7));
    await world.runUntil(hours(10));
    expect(await triedAt(world)).toEqual([hours(7)]);
  });

  it('may be put off, too', async () => {
    const world = await planned();
    await world.retry('in_1', hours(100));
    await world.runUntil(hours(110));
    expect(await triedAt(world)).toEqual([hours(100)]);
  });

  it('revives a payment whose schedule is over', async () => {
    const world = await planned(['pm_sandbox_success_after_5']);
    await world.runUntil(hours(8 * 24));
    expect((await world.payment()).decision).toMatchObject({ kind: 'wait_for_update' });
    await world.retry('in_1');
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
    await expectSound(world);
  });

  it('may come before the payment is planned', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    expect((await world.retry('in_1')).kind).toBe('scheduled');
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
    await expectSound(world);
  });

  it('waits as every try does where the merchant gives no answer', async () => {
    const world = await planned();
    world.server.answerLookups({ status: 500 }, { body: { retry: true, reason: 'open' } });
    await world.retry('in_1');
    await world.settle();
    expect((await world.payment()).nextAttemptAt).toEqual(addMs(worldStart, minuteMs));
    await world.runUntil(addMs(worldStart, minuteMs));
    expect(await world.ledger()).toHaveLength(1);
  });

  it('takes the payment from a worker that is just planning it', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.apply(await world.claimRequests());
    const [due] = await world.claimPayments();
    expect((await world.retry('in_1', hours(2))).kind).toBe('scheduled');
    if (due !== undefined) await world.run(due);
    expect((await world.payment()).nextAttemptAt).toEqual(hours(2));
    await expectSound(world);
  });
});

describe('a retry is refused', () => {
  it('once the payment has ended', async () => {
    const world = await planned(['pm_sandbox_success']);
    await world.runUntil(hours(24));
    expect(await world.retry('in_1')).toEqual({
      kind: 'refused',
      because: 'The payment is already recovered.',
    });
  });

  it('while an attempt is under way', async () => {
    const world = await planned();
    world.clock.set(hours(24));
    await world.claimPayments();
    expect(await world.retry('in_1')).toEqual({
      kind: 'refused',
      because: 'An attempt is in progress.',
    });
  });

  it('for a time that is past, or behind the window', async () => {
    const world = await planned();
    const past = await world.retry('in_1', addMs(worldStart, -1));
    expect(past).toEqual({ kind: 'refused', because: 'retry_at is in the past.' });
    const end = addMs(worldStart, 28 * dayMs);
    const late = await world.retry('in_1', addMs(end, 1));
    expect(late).toEqual({
      kind: 'refused',
      because: `The recovery window ends at ${end.toISOString()}.`,
    });
  });

  it('beyond the budget: the last try ends the payment', async () => {
    const world = await planned(undefined, { policy: { maxAttempts: 4 } });
    await world.runUntil(hours(7 * 24 - 1));
    await world.retry('in_1');
    await world.settle();
    expect((await world.payment()).status).toBe('exhausted');
    expect(await world.ledger()).toHaveLength(4);
  });

  it('where an issuer closed every method, until one is renewed', async () => {
    const world = await planned(['pm_sandbox_decline_43']);
    await world.runUntil(hours(25));
    expect(await world.retry('in_1')).toEqual({
      kind: 'refused',
      because: expect.stringMatching(
        /^No payment method may be tried again until it is updated\. .*\[visa\.category_1, for good; source: Visa Core Rules/,
      ),
    });
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' });
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
  });

  it('before the issuer’s wait is over, and made after it', async () => {
    const world = await planned(['pm_sandbox_decline_51_mac_30']);
    await world.runUntil(hours(25));
    const allowed = hours(24 + 10 * 24);
    const advice = `the issuer advised to wait until ${allowed.toISOString()}`;
    expect(await world.retry('in_1')).toEqual({
      kind: 'refused',
      because: `No payment method may be tried this soon: ${advice}.`,
    });
    expect(await world.retry('in_1', allowed)).toEqual({
      kind: 'scheduled',
      nextAttemptAt: allowed,
    });
  });

  it('of an invoice that is none', async () => {
    const world = await planned();
    expect(await world.retry('in_none')).toEqual({ kind: 'not_found' });
  });
});

it('retries that come together set one try', async () => {
  const world = await planned();
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => world.retry('in_1')));
  expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['scheduled']));
  await world.runUntil(hours(20));
  expect(await world.ledger()).toHaveLength(1);
  await expectSound(world);
});
