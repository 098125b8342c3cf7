import { describe, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import type { DuePayment } from '../../../src/recovery/engine-ports.ts';
import type { Database, Queryable } from '../../../src/store/database.ts';
import { beginCharges } from '../../../src/store/engine/charges.ts';
import { claimDuePayments } from '../../../src/store/engine/due-payments.ts';
import { createPaymentStore } from '../../../src/store/engine/payment-store.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openTransaction } from '../../kits/open-transaction.ts';
import { leaseMs } from '../../kits/worker.ts';
import { chargeOf } from '../cards/charge-of.ts';
import { claimHeld, claimInput } from './held-claim.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** Planned payments whose first try is due now; unless told otherwise, each of a card of its own. */
async function due(
  methods?: readonly string[],
  invoices: readonly string[] = ['in_1'],
): Promise<EngineWorld> {
  const world = await engineWorld();
  for (const invoiceId of invoices) {
    const own = methods ?? cardsOf(invoiceId);
    await world.submit(failedEvent({ invoiceId, methods: own }));
  }
  await world.settle();
  world.clock.set(firstTry);
  return world;
}

function only(payments: readonly DuePayment[]): DuePayment {
  const [payment, ...others] = payments;
  if (payment === undefined || others.length > 0) throw new Error(`${payments.length} were due`);
  return payment;
}

describe('a claim', () => {
  it('takes a payment when it is due, not before', async () => {
    const world = await due();
    world.clock.set(addMs(firstTry, -1));
    expect(await world.claimPayments()).toEqual([]);
    world.clock.set(firstTry);
    const { payment, dueAction, dueAt, attempt } = only(await world.claimPayments());
    expect(payment).toMatchObject({ invoiceId: 'in_1', state: 'attempting', fence: 2 });
    expect({ dueAction, dueAt }).toEqual({ dueAction: 'attempt', dueAt: firstTry });
    expect(attempt).toMatchObject({ state: 'checking', startedAt: firstTry, transactions: [] });
  });

  it('takes it from everybody else until the lease ends', async () => {
    const world = await due();
    const first = only(await world.claimPayments());
    world.clock.passMs(leaseMs - 1);
    expect(await world.claimPayments()).toEqual([]);
    world.clock.passMs(1);
    const second = only(await world.claimPayments());
    expect(second.payment.fence).toBe(first.payment.fence + 1);
    expect(second.attempt?.attemptId).not.toBe(first.attempt?.attemptId);
  });

  it('takes up the attempt that a dead worker left with a charge', async () => {
    const world = await due();
    const first = only(await world.claimPayments());
    await beginCharges(world.db, [chargeOf(first)]);
    world.clock.passMs(leaseMs);
    const second = only(await world.claimPayments());
    expect(second.attempt).toMatchObject({
      attemptId: first.attempt?.attemptId,
      state: 'charging',
      startedAt: firstTry,
      transactions: [{ state: 'sending' }],
    });
  });

  it('takes up the attempt whose charge is unknown, and opens none beside it', async () => {
    const world = await due(['pm_sandbox_lost_success']);
    const first = only(await world.claimPayments());
    await world.run(first);
    // Nothing makes such a payment due before its charge is settled; if it were, it is seen.
    await world.rows(`update payments set due_action = 'attempt', next_attempt_at = $1`, [
      firstTry,
    ]);
    const again = only(await world.claimPayments());
    expect(again.attempt).toMatchObject({
      attemptId: first.attempt?.attemptId,
      state: 'unknown',
      transactions: [{ state: 'unknown' }],
    });
    expect(await world.rows('select number from all_attempts')).toEqual([{ number: 1 }]);
  });

  it.each([
    ['', 'read_claimed_payments'],
    [', though another one had left it', 'read_payments_left_attempting'],
  ])('leaves a payment to the worker that takes it while this one reads it%s', async (_, read) => {
    const world = await due();
    if (read === 'read_payments_left_attempting') {
      await claimDuePayments({ db: world.db, random }, claimInput(world));
      world.clock.passMs(leaseMs);
    }
    let theirs: readonly DuePayment[] = [];
    // Between the two statements of the first claim its lease ends, and another one begins.
    const overtaken: Queryable = {
      async query(statement, values) {
        if (statement.name !== read) return world.db.query(statement, values);
        world.clock.passMs(leaseMs);
        theirs = (await claimDuePayments({ db: world.db, random }, claimInput(world))).items;
        return world.db.query<never>(statement, values);
      },
    };
    const ours = await claimDuePayments({ db: overtaken, random }, claimInput(world));
    expect(ours.items).toEqual([]);
    expect(only(theirs).attempt).toMatchObject({ state: 'checking' });
  });

  it('begins an attempt for a try alone: a plan has none', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.apply(await world.claimRequests());
    const planned = only(await world.claimPayments());
    expect(planned).toMatchObject({ dueAction: 'plan', payment: { state: 'scheduled' } });
    expect(planned.attempt).toBeUndefined();
    expect(await world.rows('select 1 from attempts')).toEqual([]);
  });

  it('numbers the attempts of a payment without gaps', async () => {
    const world = await due(['pm_sandbox_decline_51']);
    await world.runUntil(addMs(worldStart, 10 * dayMs));
    const rows = await world.rows<{ number: number }>(
      'select number from recorded_attempts order by number',
    );
    expect(rows.map((row) => row.number)).toEqual([1, 2, 3, 4]);
  });

  it('takes as many as it may in all', async () => {
    const invoices = ['in_1', 'in_2', 'in_3'];
    const world = await due(undefined, invoices);
    const first = await world.claimPayments(2);
    expect(first).toHaveLength(2);
    const second = await world.claimPayments(2);
    expect(second).toHaveLength(1);
    const attempts = [...first, ...second].map(({ attempt }) => attempt?.attemptId);
    expect(new Set(attempts).size).toBe(3);
  });

  it('gives two workers at once different payments', async () => {
    const invoices = Array.from({ length: 40 }, (_, index) => `in_${index}`);
    const world = await due(undefined, invoices);
    const claims = await Promise.all(Array.from({ length: 8 }, () => world.claimPayments(10)));
    const taken = claims.flat().map((item) => item.payment.invoiceId);
    expect(new Set(taken).size).toBe(taken.length);
    while (taken.length < invoices.length) {
      const more = await world.claimPayments();
      expect(more).not.toEqual([]);
      taken.push(...more.map((item) => item.payment.invoiceId));
    }
    expect(taken.toSorted()).toEqual(invoices.toSorted());
  });

  it('passes over payments that another worker is just taking, and waits for none', async () => {
    const world = await due(undefined, ['in_1', 'in_2']);
    await using open = await openTransaction(world.db);
    const own = claimInput(world, { limit: 1 });
    const first = only((await claimDuePayments({ db: open, random }, own)).items);
    const claiming = claimDuePayments({ db: world.db, random }, claimInput(world));
    await Promise.race([untilLockWaits((text) => world.rows(text)), claiming]);
    await open.commit();
    const second = only((await claiming).items);
    const both = [first, second].map(({ payment }) => payment.invoiceId);
    expect(both.toSorted()).toEqual(['in_1', 'in_2']);
  });

  it('brings along what the plan needs: tries with their declines, methods with their facts', async () => {
    const world = await due(['pm_sandbox_decline_51', 'pm_sandbox_decline_05_mac_02']);
    await world.settle();
    world.clock.passMs(minuteMs);
    const renewedAt = world.clock.now();
    for (const payment_method_id of ['pm_new', 'pm_sandbox_decline_51']) {
      await world.submitUpdate({ customer_id: 'cus_1', payment_method_id });
    }
    await world.apply(await world.claimRequests());
    const { payment } = only(await world.claimPayments());
    expect(payment.methods.map(({ card: _card, ...method }) => method)).toEqual([
      { paymentMethodId: 'pm_sandbox_decline_51', failedFirst: true, renewedAt },
      { paymentMethodId: 'pm_sandbox_decline_05_mac_02', failedFirst: false },
      { paymentMethodId: 'pm_new', failedFirst: false, renewedAt },
    ]);
    const visa = { network: 'visa', credential: 'pan', acquirerCountry: 'US' };
    expect(payment.methods.map(({ card }) => card)).toEqual([
      {
        cardKey: 'sandbox:pm_sandbox_decline_51',
        version: expect.any(Number),
        turn: 1,
        facts: { ...visa, renewedAt },
        attempts: expect.arrayContaining([
          expect.objectContaining({ id: 'in_1/ch_failed_in_1_1', at: worldStart }),
          expect.objectContaining({ at: firstTry, outcome: 'declined', networkCode: '51' }),
        ]),
      },
      {
        cardKey: 'sandbox:pm_sandbox_decline_05_mac_02',
        version: expect.any(Number),
        turn: 1,
        facts: visa,
        attempts: expect.arrayContaining([
          expect.objectContaining({ at: firstTry, networkCode: '05', adviceCode: '02' }),
        ]),
      },
      {
        cardKey: 'sandbox:pm_new',
        version: 0,
        turn: 0,
        facts: { network: 'unknown', credential: 'pan', renewedAt },
        attempts: [],
      },
    ]);
    expect(payment.tries).toMatchObject([
      {
        startedAt: firstTry,
        endedAt: firstTry,
        declines: [
          { paymentMethodId: 'pm_sandbox_decline_51', decline: { category: 'later' } },
          { paymentMethodId: 'pm_sandbox_decline_05_mac_02', decline: { adviceCode: '02' } },
        ],
      },
    ]);
  });
});

describe('a claim that something overtakes', () => {
  /** A moment after what overtakes it began: that is how it can be overtaken. */
  const claim = (world: EngineWorld, now: Date) => async (db: Database) =>
    (await createPaymentStore({ db, random }).claimDue(claimInput(world, { now }))).items;

  it('knows the methods as they are when it takes the payment', async () => {
    const world = await due(['pm_sandbox_decline_51', 'pm_sandbox_success']);
    const payment_method_id = 'pm_sandbox_success';
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id, reason: 'user_removed' });
    const taken = only(
      await claimHeld(world, claim(world, addMs(firstTry, 5)), async () => {
        await world.apply(await world.claimRequests());
      }),
    );
    expect(taken.dueAction).toBe('plan');
    const names = taken.payment.methods.map((method) => method.paymentMethodId);
    expect(names).toEqual(['pm_sandbox_decline_51']);
  });

  it('never takes up an attempt that has ended meanwhile', async () => {
    const world = await due(['pm_sandbox_decline_51']);
    const first = only(await world.claimPayments());
    world.clock.passMs(leaseMs);
    const update = { customer_id: 'cus_1', payment_method_id: 'pm_sandbox_decline_51--2' };
    await world.submitUpdate(update);
    await world.apply(await world.claimRequests());
    // The lease is over, yet its holder comes back just before another worker takes the payment.
    const taken = only(
      await claimHeld(world, claim(world, addMs(world.clock.now(), 5)), () => world.run(first)),
    );
    expect(taken.attempt?.attemptId).not.toBe(first.attempt?.attemptId);
    expect(taken.attempt).toMatchObject({ state: 'checking', transactions: [] });
    expect(taken.payment.tries).toHaveLength(1);
    world.clock.passMs(5);
    await world.run(taken);
    await expectSound(world);
  });
});

describe('a payment as it is read', () => {
  const load = async (world: EngineWorld) => {
    const { merchantId } = world;
    const payment = await world.deps.payments.load({ merchantId, invoiceId: 'in_1' });
    if (payment === undefined) throw new Error('in_1 was reported');
    return payment;
  };
  const methodsOf = async (world: EngineWorld) =>
    (await load(world)).methods.map(({ paymentMethodId }) => paymentMethodId);

  it('has methods of its customer beside its own once they are signalled, the newest first', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_own'] }));
    for (const [invoiceId, method] of [
      ['in_2', 'pm_a'],
      ['in_3', 'pm_b'],
    ] as const) {
      await world.submit(failedEvent({ invoiceId, methods: [method] }));
    }
    await world.settle();
    expect(await methodsOf(world)).toEqual(['pm_own']);
    for (const payment_method_id of ['pm_a', 'pm_b']) {
      world.clock.passMs(minuteMs);
      await world.submitUpdate({ customer_id: 'cus_1', payment_method_id });
      await world.settle();
    }
    expect(await methodsOf(world)).toEqual(['pm_own', 'pm_b', 'pm_a']);
  });

  it('has its tries in their order', async () => {
    const world = await due(['pm_sandbox_decline_51']);
    await world.runUntil(addMs(worldStart, 10 * dayMs));
    const times = (await load(world)).tries.map(({ startedAt }) => startedAt.getTime());
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('goes on beside a debt that was joined to it until that one recovers', async () => {
    const world = await due(undefined, ['in_1', 'in_2']);
    const change = (text: string) =>
      world.rows(`update payments set ${text} where invoice_id = 'in_2'`);
    await change(`joined_to = 'in_1'`);
    expect(await load(world)).not.toHaveProperty('stopReason');
    await change(`state = 'recovered', due_action = null, next_attempt_at = null`);
    expect(await load(world)).toMatchObject({ stopReason: 'recovered_elsewhere' });
  });
});

it('has no methods of another merchant’s customer of the same ids', async () => {
  const world = await engineWorld();
  await world.submit(failedEvent({ pspCustomerId: 'psp_cus_1' }));
  await world.settle();
  const { merchantId } = world;
  const load = () => world.deps.payments.load({ merchantId, invoiceId: 'in_1' });
  const before = await load();
  const other = await world.addMerchant();
  await world.rows(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, psp_customer_id, state,
       signalled_at, created_at, updated_at)
     values ($1, 'pm_a', 'cus_1', null, 'active', $2, $2, $2),
            ($1, 'pm_b', 'cus_x', 'psp_cus_1', 'active', $2, $2, $2)`,
    [other.merchantId, world.clock.now()],
  );
  expect(await load()).toEqual(before);
});

it('is not stopped by another merchant’s debt that was joined to one of the same id and recovered', async () => {
  const world = await engineWorld();
  await world.submit(failedEvent({ invoiceId: 'in_1' }));
  await world.submit(failedEvent({ invoiceId: 'in_2', methods: cardsOf('in_2') }));
  await world.settle();
  const stopReason = async () => {
    const { merchantId } = world;
    return (await world.deps.payments.load({ merchantId, invoiceId: 'in_1' }))?.stopReason;
  };
  await world.rows(
    `update payments set joined_to = 'in_1', state = 'recovered', due_action = null,
       next_attempt_at = null
     where invoice_id = 'in_2'`,
  );
  expect(await stopReason()).toBe('recovered_elsewhere');
  const other = await world.addMerchant();
  await world.rows(`update payments set merchant_id = $1 where invoice_id = 'in_2'`, [
    other.merchantId,
  ]);
  expect(await stopReason()).toBeUndefined();
});
