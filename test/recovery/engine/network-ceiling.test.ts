import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { TransactionBody } from '../../../src/domain/payment-event.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const full = 'pm_sandbox_success--full';
const closed = 'pm_sandbox_success--closed';
/** Twenty-one declines ten days before: Visa's twenty reattempts are used up until then. */
const usedUpAt = addMs(worldStart, -10 * dayMs);
const freeAt = addMs(usedUpAt, 30 * dayMs);

/** Reports of other invoices: of a card whose reattempts are used up, and of a stolen one. */
async function withCards(): Promise<EngineWorld> {
  const world = await engineWorld();
  for (let index = 0; index < 21; index += 1) {
    const invoiceId = `in_full_${index}`;
    await world.submit(failedEvent({ invoiceId, customerId: 'x', methods: [full], at: usedUpAt }));
    await world.stop(invoiceId);
  }
  const outcome = { raw_response_message: '43: stolen card' };
  const stolen = { invoiceId: 'in_closed', customerId: 'x', methods: [closed], outcome };
  await world.submit(failedEvent({ ...stolen, at: usedUpAt }));
  await world.stop('in_closed');
  await world.settle();
  return world;
}

/** A payment whose merchant names these methods in its answer to the final check. */
async function answered(methods: readonly string[], own: string): Promise<EngineWorld> {
  const world = await withCards();
  const payment_methods = methods.map((id) => ({ id }));
  world.server.answerLookups({ body: { retry: true, reason: 'open', payment_methods } });
  await world.submit(failedEvent({ methods: [own] }));
  await world.runUntil(firstTry);
  return world;
}

const charged = async (world: EngineWorld) =>
  (await world.ledger()).map((charge) => charge.payment_method);

describe('a method that its network forbids', () => {
  it('gives way to the next one, and the attempt says which rule it was', async () => {
    const world = await answered([closed, full, 'pm_sandbox_success'], 'pm_1');
    expect(await charged(world)).toEqual(['pm_sandbox_success']);
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'recovered', attemptCount: 1 });
    expect(payment.attempts).toMatchObject([
      {
        status: 'succeeded',
        blockedCharges: [
          {
            payment_method_id: closed,
            rule: 'visa.category_1',
            network: 'visa',
            because: expect.stringContaining('category 1'),
            source: expect.stringContaining('Visa Core Rules'),
          },
          {
            payment_method_id: full,
            rule: 'visa.reattempts_30d',
            source: expect.stringContaining('Checkout.com'),
            until: freeAt.toISOString(),
          },
        ],
      },
    ]);
    await expectSound(world);
  });

  it('after one that was declined ends the try, which counts', async () => {
    const world = await answered(['pm_sandbox_decline_51', closed], 'pm_sandbox_decline_51');
    expect(await charged(world)).toEqual(['pm_sandbox_decline_51']);
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'scheduled', attemptCount: 1 });
    expect(payment.nextAttemptAt).toEqual(addMs(worldStart, 3 * dayMs));
    expect(payment.attempts[0]).toMatchObject({
      status: 'declined',
      blockedCharges: [{ rule: 'visa.category_1' }],
    });
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });
});

describe('where all methods are forbidden', () => {
  it('the payment waits until the first of them is allowed, and no try is counted', async () => {
    const world = await answered([closed, full], 'pm_1');
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'scheduled', attemptCount: 0, nextAttemptAt: freeAt });
    expect(payment.attempts).toMatchObject([{ status: 'not_attempted', check: { retry: true } }]);
    expect(payment.decision).toMatchObject({ kind: 'attempt', at: freeAt.toISOString() });
    expect(payment.decision?.bounded_by).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`visa.reattempts_30d, until ${freeAt.toISOString()}; source: `),
      ]),
    );
    await expectSound(world);
    await world.runUntil(freeAt);
    expect(await charged(world)).toEqual([full]);
    expect((await world.payment()).status).toBe('recovered');
    expect(world.server.lookups).toHaveLength(2);
    await expectSound(world);
  });

  it('for good, it waits for an update', async () => {
    const world = await answered([closed], 'pm_1');
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'scheduled', attemptCount: 0 });
    expect(payment.nextAttemptAt).toBeUndefined();
    expect(payment.decision).toMatchObject({
      kind: 'wait_for_update',
      bounded_by: [expect.stringContaining('visa.category_1, for good; source: ')],
    });
    world.server.answerLookups({ body: { retry: true, reason: 'open' } });
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' });
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
    await expectSound(world);
  });

  it('until after the window, it ends with the window', async () => {
    const world = await withCards();
    world.server.answerLookups({
      body: { retry: true, reason: 'open', payment_methods: [{ id: full }] },
    });
    const at = addMs(worldStart, -9 * dayMs);
    await world.submit(failedEvent({ at, methods: ['pm_1'] }));
    await world.settle();
    const payment = await world.payment();
    expect(payment.nextAttemptAt).toBeUndefined();
    expect(payment.decision?.bounded_by).toEqual([
      expect.stringContaining(`visa.reattempts_30d, until ${freeAt.toISOString()}`),
    ]);
    await world.runUntil(payment.windowEndsAt);
    expect((await world.payment()).status).toBe('exhausted');
  });
});

describe('a bank debit', () => {
  const reported = async (scheme: string, outcome: TransactionBody['outcome']) => {
    const world = await engineWorld();
    await world.submit(failedEvent({ scheme, outcome, methods: ['pm_sandbox_success'] }));
    await world.runUntil(firstTry);
    return { world, charged: await charged(world) };
  };

  it.each([
    ['sepa_debit', { raw_response_message: 'AM04: Insufficient funds' }],
    ['SEPA Direct Debit', { raw_response_message: 'no', processor_response_code: 'MS03' }],
    ['ach', { raw_response_message: 'R01 Insufficient Funds' }],
    ['us_bank_account', { raw_response_message: 'no', processor_response_code: 'r09' }],
  ])('of %s that came back as %j is presented again', async (scheme, outcome) => {
    const { world, charged: methods } = await reported(scheme, outcome);
    expect(methods).toEqual(['pm_sandbox_success']);
    expect(await world.payment()).toMatchObject({ status: 'recovered' });
    await expectSound(world);
  });

  it.each([
    ['sepa_debit', { raw_response_message: 'AC04: Account closed' }],
    ['SEPA Direct Debit', { raw_response_message: 'no reason' }],
    ['ach', { raw_response_message: 'R02 Account closed' }],
  ])('of %s that came back as %j is not', async (scheme, outcome) => {
    expect((await reported(scheme, outcome)).charged).toEqual([]);
  });

  it.each([
    ['sepa_debit', 'AC04: Account closed'],
    ['ach', 'R02 Account closed'],
  ])('of %s is presented again after %s once the same method is updated', async (scheme, said) => {
    const { world, charged: before } = await reported(scheme, { raw_response_message: said });
    expect(before).toEqual([]);
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' });
    await world.settle();
    expect(await charged(world)).toEqual(['pm_sandbox_success']);
    expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 1 });
    await expectSound(world);
  });
});

describe('a plan', () => {
  it('keeps to the time that the network allows, and says why', async () => {
    const world = await withCards();
    await world.submit(failedEvent({ methods: [full] }));
    await world.settle();
    const { nextAttemptAt, decision } = await world.payment();
    // One more decline was reported now, so the second of the old ones has to leave the window.
    expect(nextAttemptAt).toEqual(freeAt);
    expect(decision).toMatchObject({
      methods: [full],
      rule_pack_version: expect.any(String),
      bounded_by: [
        expect.stringMatching(/^pm_sandbox_success--full: .*\[visa\.reattempts_30d, until /),
      ],
    });
  });

  it('knows of the decline that it follows, where that is the last one the network allows', async () => {
    const declined = 'pm_sandbox_decline_51--full';
    const world = await engineWorld();
    for (let index = 0; index < 19; index += 1) {
      const invoiceId = `in_full_${index}`;
      const methods = [declined];
      await world.submit(failedEvent({ invoiceId, customerId: 'x', methods, at: usedUpAt }));
      await world.stop(invoiceId);
    }
    await world.submit(failedEvent({ methods: [declined] }));
    await world.runUntil(firstTry);
    expect(await charged(world)).toEqual([declined]);
    const { nextAttemptAt, decision } = await world.payment();
    expect(nextAttemptAt).toEqual(freeAt);
    expect(decision?.bounded_by).toEqual([expect.stringContaining('visa.reattempts_30d')]);
  });

  it('keeps to that time where the free method is removed while its try is put off', async () => {
    const world = await withCards();
    await world.submit(failedEvent({ methods: ['pm_sandbox_success', full] }));
    await world.settle();
    world.server.answerLookups({ status: 500 });
    const removed = { customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' };
    const worker = world.worker((deps) => ({
      merchantClient: {
        ...deps.merchantClient,
        async askRetryStatus(request) {
          await world.submitUpdate({ ...removed, reason: 'user_removed' });
          await world.apply(await world.claimRequests());
          return deps.merchantClient.askRetryStatus(request);
        },
      },
    }));
    world.clock.set(firstTry);
    await worker.runOnce();
    const { nextAttemptAt, decision } = await world.payment();
    expect(nextAttemptAt).toEqual(freeAt);
    expect(decision).toMatchObject({ methods: [full] });
  });

  it('leaves out the method that is held back while another one is free', async () => {
    const world = await withCards();
    await world.submit(failedEvent({ methods: ['pm_sandbox_success', full] }));
    await world.settle();
    const { nextAttemptAt, decision } = await world.payment();
    expect(nextAttemptAt).toEqual(firstTry);
    expect(decision).toMatchObject({ methods: ['pm_sandbox_success'] });
    expect(decision?.bounded_by).toEqual([expect.stringContaining('visa.reattempts_30d')]);
  });
});

describe('a retry that is asked for', () => {
  it('is refused with the rule, its source and its end, and made after it', async () => {
    const world = await withCards();
    await world.submit(failedEvent({ methods: [full] }));
    await world.settle();
    expect(await world.retry('in_1')).toEqual({
      kind: 'refused',
      because: expect.stringMatching(
        new RegExp(
          `^No payment method may be tried this soon: ${full}: .*\\[visa\\.reattempts_30d, until ` +
            `${freeAt.toISOString()}; source: Checkout\\.com`,
        ),
      ),
    });
    expect(await world.retry('in_1', addMs(freeAt, -1))).toMatchObject({ kind: 'refused' });
    expect(await world.retry('in_1', freeAt)).toMatchObject({ kind: 'scheduled' });
    await world.runUntil(addMs(freeAt, hourMs));
    expect(await charged(world)).toEqual([full]);
    await expectSound(world);
  });

  it('is refused for good where the card is closed', async () => {
    const world = await withCards();
    await world.submit(failedEvent({ methods: [closed] }));
    await world.settle();
    expect(await world.retry('in_1')).toEqual({
      kind: 'refused',
      because: expect.stringContaining('[visa.category_1, for good; source: Visa Core Rules'),
    });
  });
});
