import { describe, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import type { DuePayment } from '../../../src/recovery/engine-ports.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, type MerchantOptions, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways, onlyGateway } from '../../kits/gateways.ts';
import { leaseMs } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A payment of these methods whose first try just met a yes with these fields. */
async function charged(
  methods: readonly string[],
  yes: object = {},
  options: MerchantOptions = {},
): Promise<EngineWorld> {
  const world = await engineWorld(options);
  world.server.answerLookups({ body: { retry: true, reason: 'open', ...yes } });
  await world.submit(failedEvent({ methods, pspCustomerId: 'psp_cus_1' }));
  await world.runUntil(firstTry);
  return world;
}

const methodsOf = async (world: EngineWorld) =>
  (await world.ledger()).map((charge) => charge.payment_method);

describe('several methods', () => {
  it('are charged in the merchant’s order until one succeeds, in one attempt', async () => {
    const methods = ['pm_sandbox_decline_51', 'pm_sandbox_success', 'pm_sandbox_success--b'];
    const world = await charged(methods);
    expect(await methodsOf(world)).toEqual(methods.slice(0, 2));
    const payment = await world.payment();
    expect(payment).toMatchObject({ status: 'recovered', attemptCount: 1 });
    expect(payment.attempts).toHaveLength(1);
    expect(payment.attempts[0]?.transactions.map((item) => item.status)).toEqual([
      'declined',
      'succeeded',
    ]);
    await expectSound(world);
  });

  it('make one event, with a transaction for each that was charged', async () => {
    const world = await charged(['pm_sandbox_decline_51', 'pm_sandbox_success']);
    const events = await world.events();
    const ledger = await world.ledger();
    expect(events.map((event) => event.body)).toMatchObject([
      {
        success: true,
        psp_transactions: ledger.map((charge, index) => ({
          psp_transaction_id: charge.id,
          network_transaction_id: charge.network_transaction_id,
          merchant_payment_method_id: charge.payment_method,
          success: index === 1,
        })),
      },
    ]);
  });

  it('that are all declined end the attempt, and the plan goes on', async () => {
    const world = await charged(['pm_sandbox_decline_51', 'pm_sandbox_decline_05']);
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attemptCount: 1,
      nextAttemptAt: addMs(worldStart, 3 * dayMs),
    });
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('are charged once each, however often the answer names them', async () => {
    const named = ['pm_sandbox_decline_51', 'pm_sandbox_decline_51', 'pm_sandbox_decline_05'];
    const payment_methods = [...named, ...named].map((id) => ({ id }));
    const world = await charged(['pm_1'], { payment_methods });
    expect(await methodsOf(world)).toEqual(['pm_sandbox_decline_51', 'pm_sandbox_decline_05']);
  });

  it('are ten at most in one attempt', async () => {
    const payment_methods = Array.from({ length: 14 }, (_, index) => ({
      id: `pm_sandbox_decline_51--${index}`,
    }));
    const world = await charged(['pm_1'], { payment_methods });
    expect(await world.ledger()).toHaveLength(10);
    expect((await world.payment()).attempts[0]?.transactions).toHaveLength(10);
    await expectSound(world);
  });

  it('are the answer’s where it names any, in its order', async () => {
    const payment_methods = [{ id: 'pm_sandbox_decline_51--2' }, { id: 'pm_sandbox_success' }];
    const world = await charged(['pm_sandbox_decline_51--1'], { payment_methods });
    expect(await methodsOf(world)).toEqual(['pm_sandbox_decline_51--2', 'pm_sandbox_success']);
  });

  it.each([
    ['an empty list', []],
    ['a method without a name', [{}]],
    ['a card’s first digits alone', [{ bin: '424242' }]],
  ])('that name nothing to charge (%s) charge nothing', async (_, payment_methods) => {
    const world = await charged(['pm_sandbox_success'], { payment_methods });
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      nextAttemptAt: addMs(firstTry, minuteMs),
      attempts: [{ check: { refused: 'no usable payment method was answered' } }],
    });
    expect(await world.ledger()).toEqual([]);
  });
});

describe('a method that its issuer closed', () => {
  it('is not charged again, even where the merchant names it', async () => {
    const payment_methods = [{ id: 'pm_sandbox_decline_43' }, { id: 'pm_sandbox_decline_51' }];
    const world = await charged(['pm_sandbox_decline_51'], { payment_methods });
    await world.runUntil(addMs(worldStart, 3 * dayMs));
    expect(await methodsOf(world)).toEqual([
      'pm_sandbox_decline_43',
      'pm_sandbox_decline_51',
      'pm_sandbox_decline_51',
    ]);
    await expectSound(world);
  });

  it('is not charged at all where the failure was already its last word', async () => {
    const world = await engineWorld();
    const outcome = { raw_response_message: '43: stolen card' };
    await world.submit(failedEvent({ outcome, methods: ['pm_sandbox_success'] }));
    await world.runUntil(addMs(worldStart, 27 * dayMs));
    expect(await world.ledger()).toEqual([]);
    expect(world.server.lookups).toEqual([]);
    expect((await world.payment()).decision).toMatchObject({ kind: 'wait_for_update' });
  });

  it('leaves the payment waiting for an update, the others being charged on', async () => {
    const world = await charged(['pm_sandbox_decline_41', 'pm_sandbox_decline_51']);
    await world.runUntil(addMs(worldStart, 3 * dayMs));
    expect(await methodsOf(world)).toEqual([
      'pm_sandbox_decline_41',
      'pm_sandbox_decline_51',
      'pm_sandbox_decline_51',
    ]);
  });
});

describe('the issuer’s advice', () => {
  it('to wait puts the next try off, and is shown in the decision', async () => {
    // Mastercard's 30: not again for ten days.
    const world = await charged(['pm_sandbox_decline_51_mac_30']);
    const next = addMs(firstTry, 10 * dayMs);
    const { nextAttemptAt, decision } = await world.payment();
    expect(nextAttemptAt).toEqual(next);
    expect(decision?.bounded_by).toEqual([
      `the issuer advised to wait until ${next.toISOString()}`,
    ]);
  });
});

describe('what the answer adds', () => {
  it('reaches the PSP: metadata, billing address, network transaction id, token, card code', async () => {
    const metadata = { dunning: 'retry', deep: { list: [1, 'two', null] } };
    const world = await charged(['pm_1'], {
      metadata,
      payment_methods: [
        {
          id: 'pm_sandbox_success',
          network_transaction_id: '123456789012345',
          token: {
            id: 'tok_1',
            expiration_month: '07',
            expiration_year: '2031',
            card_validation_number: '123',
          },
          billing_address: { name: 'Ada', city: 'Bonn', state: 'NW', zip: '53111', phone: '1' },
        },
      ],
    });
    expect(await world.ledger()).toMatchObject([
      {
        customer: 'psp_cus_1',
        metadata,
        previous_network_transaction_id: '123456789012345',
        token: {
          id: 'tok_1',
          expiration_month: '07',
          expiration_year: '2031',
          card_code_given: true,
        },
        billing_address_fields: ['city', 'name', 'phone', 'state', 'zip'],
      },
    ]);
    expect((await world.payment()).status).toBe('recovered');
  });

  it('may be a token alone', async () => {
    const payment_methods = [{ token: { id: 'pm_sandbox_success' } }];
    const world = await charged(['pm_1'], { payment_methods });
    expect((await world.payment()).status).toBe('recovered');
  });
});

describe('a charge that the PSP never took', () => {
  it('is no try: it waits, and is made again with the same key', async () => {
    const world = await charged(['pm_sandbox_unavailable']);
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attemptCount: 0,
      nextAttemptAt: addMs(firstTry, 5 * minuteMs),
      attempts: [{ status: 'not_attempted', transactions: [{ status: 'not_made' }] }],
    });
    expect(await world.events()).toEqual([]);
    await world.runUntil(addMs(firstTry, 5 * minuteMs));
    const keys = await world.rows<{ key: string }>(
      'select idempotency_key as key from psp_transactions',
    );
    expect(keys).toHaveLength(2);
    expect(new Set(keys.map((row) => row.key)).size).toBe(1);
    await expectSound(world);
  });

  it('waits as long as the PSP says where that is longer, and longer each time in a row', async () => {
    const world = await engineWorld();
    const worker = world.worker(() =>
      onlyGateway({
        charge: async () => ({ kind: 'not_made', reason: 'down', retryAfterMs: 20 * minuteMs }),
      }),
    );
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await worker.settle();
      const { nextAttemptAt = firstTry } = await world.payment();
      waits.push((nextAttemptAt.getTime() - world.clock.now().getTime()) / minuteMs);
      world.clock.set(nextAttemptAt);
    }
    expect(waits).toEqual([20, 30, 120, 360]);
  });

  it('after a decline ends the attempt as declined, with its event', async () => {
    const world = await charged(['pm_sandbox_decline_51', 'pm_sandbox_unavailable']);
    const { attempts } = await world.payment();
    expect(attempts).toMatchObject([
      { status: 'declined', transactions: [{ status: 'declined' }, { status: 'not_made' }] },
    ]);
    expect((await world.events())[0]?.body.psp_transactions).toHaveLength(1);
    await expectSound(world);
  });

  it('is one through a PSP that is not set up: nothing is charged', async () => {
    const world = await engineWorld();
    const worker = world.worker(() => ({ findGateway: async () => undefined }));
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    await worker.settle();
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      nextAttemptAt: addMs(firstTry, 5 * minuteMs),
    });
    await expectSound(world);
  });

  it('is left alone by a worker whose lease ended while the merchant was asked', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    let theirs: readonly DuePayment[] = [];
    const late = world.worker(({ merchantClient }) => ({
      findGateway: async () => undefined,
      merchantClient: {
        ...merchantClient,
        async askRetryStatus(request) {
          world.clock.passMs(leaseMs);
          theirs = await world.claimPayments();
          return merchantClient.askRetryStatus(request);
        },
      },
    }));
    for (const due of await late.claimPayments()) await late.run(due);
    expect(await world.payment()).toMatchObject({ status: 'attempting', attempts: [] });
    for (const due of theirs) await world.run(due);
    expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 1 });
    await expectSound(world);
  });
});

it('a PSP’s words never keep its answer from being recorded', async () => {
  const world = await engineWorld();
  const message = `\u0000${'x'.repeat(498)}😀 and more`;
  const worker = world.worker(() =>
    onlyGateway({
      charge: async (request) => ({
        kind: 'declined',
        pspTransactionId: `ch_${request.idempotencyKey}`,
        decline: { category: 'later', code: '51', message },
      }),
    }),
  );
  await world.submit(failedEvent());
  await world.settle();
  world.clock.set(firstTry);
  await worker.settle();
  expect(worker.failures).toEqual([]);
  const [attempt] = (await world.payment()).attempts;
  expect(attempt).toMatchObject({ status: 'declined', transactions: [{ status: 'declined' }] });
  expect(attempt?.transactions[0]?.decline?.message).toMatch(/^ x{498}.$/);
});

it('every charge has a key of its own, and the PSP got each key once', async () => {
  const world = await charged(['pm_sandbox_decline_51', 'pm_sandbox_decline_05']);
  await world.runUntil(addMs(worldStart, 20 * dayMs));
  const keys = (await world.ledger()).map((charge) => charge.idempotency_key);
  expect(keys).toHaveLength(8);
  expect(new Set(keys).size).toBe(8);
  await expectSound(world);
});

describe('a yes', () => {
  it('of minutes ago is none: the next method is left to the next attempt', async () => {
    const world = await engineWorld();
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request) {
          const result = await gateway.charge(request);
          world.clock.passMs(6 * minuteMs);
          return result;
        },
      })),
    );
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51', 'pm_sandbox_success'] }));
    await world.settle();
    world.clock.set(firstTry);
    for (const due of await worker.claimPayments()) await worker.run(due);
    expect(await methodsOf(world)).toEqual(['pm_sandbox_decline_51']);
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attemptCount: 1,
      attempts: [{ status: 'declined', transactions: [{ status: 'declined' }] }],
    });
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });
});
