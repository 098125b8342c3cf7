import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { toAttemptOutcome } from '../../../src/recovery/engine/attempt-steps.ts';
import {
  firstDeliveryFence,
  type NewEvent,
  type Outcome,
  type PaymentContext,
} from '../../../src/recovery/engine-ports.ts';
import { beginCharges } from '../../../src/store/engine/charges.ts';
import { createDeliveryStore } from '../../../src/store/engine/delivery-store.ts';
import { recordOutcomes } from '../../../src/store/engine/outcomes.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { insertRows } from '../../kits/insert-rows.ts';
import { chargeOf } from '../cards/charge-of.ts';

const engineWorld = useEngineWorld();

/** A planned payment, as the engine reads it. */
async function planned(world: EngineWorld, invoiceId = 'in_1'): Promise<PaymentContext> {
  const { merchantId } = world;
  const payment = await world.deps.payments.load({ merchantId, invoiceId });
  if (payment === undefined) throw new Error(`no payment ${invoiceId}`);
  return payment;
}

async function withPayments(...invoices: readonly string[]): Promise<EngineWorld> {
  const world = await engineWorld();
  for (const invoiceId of invoices) await world.submit(failedEvent({ invoiceId }));
  await world.settle();
  return world;
}

/** A step that postpones the payment by a day. */
function step(payment: PaymentContext, change: Partial<Outcome> = {}): Outcome {
  return {
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    fence: payment.fence,
    revision: payment.revision,
    at: worldStart,
    payment: {
      state: 'scheduled',
      attemptCount: 0,
      postponements: 1,
      dueAction: 'attempt',
      nextAttemptAt: addMs(worldStart, dayMs),
    },
    events: [],
    ...change,
  };
}

const stopped: Outcome['payment'] = {
  state: 'stopped',
  stopReason: 'merchant_stop',
  attemptCount: 0,
  postponements: 0,
};

let eventCount = 0;
function endEvent(): NewEvent {
  eventCount += 1;
  return { eventId: `evt_${eventCount}`, type: 'end_of_dunning', body: '{}' };
}

/** The end of a recovery with the result of its last attempt, which goes before. */
function withResult(): readonly NewEvent[] {
  const end = endEvent();
  const eventId = `${end.eventId}_result`;
  return [{ eventId, type: 'retry_result', attemptId: `att_${end.eventId}`, body: '{}' }, end];
}

describe('a step', () => {
  it('is written while the payment is as it was read', async () => {
    const world = await withPayments('in_1');
    const payment = await planned(world);
    expect(await recordOutcomes(world.db, [step(payment)])).toEqual(['recorded']);
    expect((await planned(world)).postponements).toBe(1);
  });

  it.each([
    ['another holds the lease', 'lease_lost', 'update payments set fence = fence + 1'],
    ['something came from outside', 'changed', 'update payments set revision = revision + 1'],
    [
      'the payment has ended',
      'lease_lost',
      `update payments set state = 'stopped', stop_reason = 'merchant_stop',
         next_attempt_at = null, due_action = null`,
    ],
  ])('is not written where %s', async (_, outcome, meanwhile) => {
    const world = await withPayments('in_1');
    const payment = await planned(world);
    await world.rows(meanwhile);
    const before = await world.rows('select * from payments');
    expect(await recordOutcomes(world.db, [step(payment, { events: [endEvent()] })])).toEqual([
      outcome,
    ]);
    expect(await world.rows('select * from payments')).toEqual(before);
    expect(await world.events()).toEqual([]);
  });

  it('is not written of a payment that is not there', async () => {
    const world = await withPayments('in_1');
    const other = { ...(await planned(world)), invoiceId: 'in_none' };
    expect(await recordOutcomes(world.db, [step(other)])).toEqual(['lease_lost']);
  });

  it('is not written of an attempt that has ended already', async () => {
    const world = await withPayments('in_1');
    await world.runUntil(addMs(worldStart, dayMs));
    const [{ attempt_id: attemptId } = { attempt_id: '' }] = await world.rows<{
      attempt_id: string;
    }>('select attempt_id from recorded_attempts');
    const startedAt = worldStart;
    await world.rows(`update payments set state = 'attempting'`);
    const payment = await planned(world);
    const late = step(payment, { attempt: { attemptId, startedAt, state: 'not_attempted' } });
    expect(await recordOutcomes(world.db, [late])).toEqual(['lease_lost']);
    expect(await world.rows('select state from recorded_attempts')).toEqual([
      { state: 'succeeded' },
    ]);
  });

  it('leaves a payment that an incident froze without a time, and keeps the rest', async () => {
    const world = await withPayments('in_1');
    const payment = await planned(world);
    await world.rows('update payments set frozen_at = $1, next_attempt_at = null', [worldStart]);
    const { payment: next, ...common } = step(payment);
    const renewed = { ...common, payment: { ...next, leaseUntil: addMs(worldStart, 1) } };
    expect(await recordOutcomes(world.db, [renewed])).toEqual(['recorded']);
    const columns = 'next_attempt_at, lease_until, postponements';
    expect(await world.rows(`select ${columns} from payments`)).toEqual([
      { next_attempt_at: null, lease_until: null, postponements: 1 },
    ]);
  });

  it('ends the attempt of a worker that died with its decision, its beginning and its answer', async () => {
    const world = await withPayments('in_1');
    const { decision } = await planned(world);
    const firstTry = addMs(worldStart, dayMs);
    world.clock.set(firstTry);
    const [due] = await world.claimPayments();
    if (due?.attempt === undefined) throw new Error('no attempt is open');
    const answer = { retry: true, reason: 'open' };
    await beginCharges(world.db, [chargeOf(due, { check: answer })]);
    expect(await world.rows('select * from attempts')).toEqual([]);
    world.clock.set(addMs(firstTry, hourMs));
    const [again] = await world.claimPayments();
    if (again?.attempt === undefined) throw new Error('its attempt is not open');
    const { attemptId } = due.attempt;
    expect(again.attempt).toMatchObject({ attemptId, state: 'charging', check: answer, decision });
    const { ordinal } = again.attempt.transactions[0] ?? { ordinal: 0 };
    const over = step(again.payment, {
      transaction: { attemptId, ordinal, state: 'not_made', reason: 'the PSP has no such charge' },
      attempt: toAttemptOutcome(again.attempt, 'not_attempted'),
    });
    expect(await recordOutcomes(world.db, [over])).toEqual(['recorded']);
    const { amountMinor, currency } = due.payment;
    expect(
      await world.rows(
        `select number, state, decision, check_answer, amount_minor, currency, started_at, ended_at
         from attempts`,
      ),
    ).toEqual([
      {
        number: 1,
        state: 'not_attempted',
        decision,
        check_answer: answer,
        amount_minor: amountMinor,
        currency,
        started_at: firstTry,
        ended_at: worldStart,
      },
    ]);
    expect(
      await world.rows('select attempt_started_at, check_answer from psp_transactions'),
    ).toEqual([{ attempt_started_at: null, check_answer: null }]);
    expect((await planned(world)).decision).toEqual(decision);
    expect(decision).toBeDefined();
  });

  it.each(['succeeded', 'declined'] as const)(
    'that ends an attempt with its first charge, %s, leaves the attempt to that charge',
    async (state) => {
      const world = await withPayments('in_1');
      const { decision } = await planned(world);
      const firstTry = addMs(worldStart, dayMs);
      world.clock.set(firstTry);
      const [due] = await world.claimPayments();
      if (due?.attempt === undefined) throw new Error('no attempt is open');
      const check = { retry: true, reason: 'open' };
      await beginCharges(world.db, [chargeOf(due, { check })]);
      const { attemptId } = due.attempt;
      const over = step(due.payment, {
        transaction: { attemptId, ordinal: 1, state, pspTransactionId: 'ch_1' },
        attempt: { ...toAttemptOutcome(due.attempt, state), check },
      });
      expect(await recordOutcomes(world.db, [over])).toEqual(['recorded']);
      expect(await world.rows('select from attempts')).toEqual([]);
      const { amountMinor, currency } = due.payment;
      const { merchantId } = world;
      expect(await world.rows('select * from recorded_attempts')).toEqual([
        {
          merchant_id: merchantId,
          attempt_id: attemptId,
          invoice_id: 'in_1',
          number: 1,
          state,
          decision,
          check_answer: check,
          blocked_charges: null,
          amount_minor: amountMinor,
          currency,
          started_at: firstTry,
          ended_at: worldStart,
          contradicts: false,
        },
      ]);
      expect(await world.rows('select * from all_attempts')).toEqual(
        await world.rows('select * from recorded_attempts'),
      );
    },
  );

  it('that ends an attempt without a charge writes the attempt', async () => {
    const world = await withPayments('in_1');
    const { decision } = await planned(world);
    world.clock.set(addMs(worldStart, dayMs));
    const [due] = await world.claimPayments();
    if (due?.attempt === undefined) throw new Error('no attempt is open');
    const { attemptId, startedAt } = due.attempt;
    const check = { retry: false, reason: 'closed' };
    const over = step(due.payment, {
      attempt: { attemptId, state: 'not_attempted', check, startedAt },
    });
    expect(await recordOutcomes(world.db, [over])).toEqual(['recorded']);
    expect(
      await world.rows('select number, state, decision, check_answer, started_at from attempts'),
    ).toEqual([
      { number: 1, state: 'not_attempted', decision, check_answer: check, started_at: startedAt },
    ]);
  });

  it('that sets the payment aside says since when and why, and the next one takes that back', async () => {
    const world = await withPayments('in_1');
    const payment = await planned(world);
    const { nextAttemptAt: _, ...undue } = step(payment).payment;
    const aside = step(payment, { payment: { ...undue, setAside: 'it reached no PSP' } });
    const setAside = () => world.rows('select set_aside_at, set_aside_reason from payments');
    expect(await recordOutcomes(world.db, [aside])).toEqual(['recorded']);
    expect(await setAside()).toEqual([
      { set_aside_at: worldStart, set_aside_reason: 'it reached no PSP' },
    ]);
    expect(await recordOutcomes(world.db, [step(payment)])).toEqual(['recorded']);
    expect(await setAside()).toEqual([{ set_aside_at: null, set_aside_reason: null }]);
  });

  it('that takes the payment over ends the lease of whoever holds it', async () => {
    const world = await withPayments('in_1');
    const payment = await planned(world);
    const over = step(payment, { takeOver: true });
    expect(await recordOutcomes(world.db, [over])).toEqual(['recorded']);
    expect(await recordOutcomes(world.db, [step(payment)])).toEqual(['lease_lost']);
  });
});

describe('a charge that was never made', () => {
  it('leaves its place in the card’s history and its fee, and no other charge’s', async () => {
    const world = await withPayments('in_1');
    world.clock.set(addMs(worldStart, dayMs));
    const [due] = await world.claimPayments();
    if (due?.attempt === undefined) throw new Error('no attempt is open');
    const { payment, attempt } = due;
    const charge = {
      ordinal: 1,
      idempotencyKey: 'key_1',
      paymentMethodId: 'pm_sandbox_success',
      amountMinor: payment.amountMinor,
      currency: payment.currency,
      sentAt: world.clock.now(),
      connectionVersion: 1,
    };
    const { merchantId, invoiceId, fence, psp } = payment;
    const { attemptId, startedAt } = attempt;
    const check = { retry: true };
    await beginCharges(world.db, [
      { ...charge, merchantId, invoiceId, fence, psp, attemptId, check, startedAt },
    ]);
    const other = await world.addMerchant();
    await world.rows(
      `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros,
         currency, at)
       select merchant_id, ref, 'visa.category_1', 'expected', 'visa', 100000, 'USD', $2
       from unnest(array['key_1', 'key_2']) ref, unnest($1::text[]) merchant_id`,
      [[merchantId, other.merchantId], worldStart],
    );
    const never = step(payment, {
      transaction: { attemptId, ordinal: 1, state: 'not_made', reason: 'it never arrived' },
      attempt: toAttemptOutcome(attempt, 'not_attempted'),
    });
    expect(await recordOutcomes(world.db, [never])).toEqual(['recorded']);
    expect(
      await world.rows('select merchant_id, charge_ref from network_fees order by 1, 2'),
    ).toEqual([
      { merchant_id: merchantId, charge_ref: 'key_2' },
      { merchant_id: other.merchantId, charge_ref: 'key_1' },
      { merchant_id: other.merchantId, charge_ref: 'key_2' },
    ]);
    expect(await world.rows('select origin from card_histories')).toEqual([{ origin: 'reported' }]);
  });
});

describe('a batch of steps', () => {
  it('answers for each in its order, the bad ones among the good', async () => {
    const world = await withPayments('in_1', 'in_2', 'in_3');
    const first = await planned(world, 'in_1');
    const second = await planned(world, 'in_2');
    const third = await planned(world, 'in_3');
    const outcomes = await recordOutcomes(world.db, [
      step(third),
      step(second, { fence: second.fence - 1 }),
      step(first, { revision: first.revision - 1 }),
    ]);
    expect(outcomes).toEqual(['recorded', 'lease_lost', 'changed']);
  });

  it('takes one step of a payment: the others are told that it changed', async () => {
    const world = await withPayments('in_1');
    const payment = await planned(world);
    const end = step(payment, { payment: stopped, events: [endEvent()], takeOver: true });
    for (const batch of [
      [step(payment), end],
      [end, step(payment)],
    ]) {
      const outcomes = await recordOutcomes(world.db, batch);
      expect(outcomes).toEqual(['recorded', 'changed']);
      if (batch[0] !== end) continue;
      expect(await world.payment()).toMatchObject({ status: 'stopped' });
    }
    await expectSound(world);
  });
});

describe('the events of a merchant', () => {
  it('are numbered without gaps, whoever writes them at the same time', async () => {
    const invoices = Array.from({ length: 60 }, (_, index) => `in_${index}`);
    const world = await withPayments(...invoices);
    const payments = await Promise.all(invoices.map((invoiceId) => planned(world, invoiceId)));
    const ends = payments.map((payment) =>
      step(payment, { payment: stopped, events: [endEvent()] }),
    );
    const batches = Array.from({ length: 6 }, (_, index) =>
      ends.slice(index * 10, index * 10 + 10),
    );
    await Promise.all(batches.map((batch) => recordOutcomes(world.db, batch)));
    const events = await world.events();
    expect(events.map((event) => event.sequence)).toEqual(
      invoices.map((_, index) => BigInt(index + 1)),
    );
    await expectSound(world);
  });

  it('leave no gap behind a step that fails', async () => {
    const world = await withPayments('in_1', 'in_2');
    const [first, second] = [await planned(world, 'in_1'), await planned(world, 'in_2')];
    const event = endEvent();
    const bad = step(first, { payment: stopped, events: [event, event] });
    await expect(recordOutcomes(world.db, [bad])).rejects.toThrow(/duplicate key/);
    await recordOutcomes(world.db, [step(second, { payment: stopped, events: [endEvent()] })]);
    expect((await world.events()).map((item) => item.sequence)).toEqual([1n]);
    await expectSound(world);
  });

  it('are numbered in the order of their steps, and within a step in its order', async () => {
    const world = await withPayments('in_1', 'in_2');
    const [first, second] = [await planned(world, 'in_1'), await planned(world, 'in_2')];
    const [a, b] = [withResult(), withResult()];
    await recordOutcomes(world.db, [
      step(second, { payment: stopped, events: a }),
      step(first, { payment: stopped, events: b }),
    ]);
    const ids = [...a, ...b].map((event) => event.eventId);
    expect((await world.events()).map((event) => event.eventId)).toEqual(ids);
  });

  it('have a counter of their own for each merchant', async () => {
    const world = await withPayments('in_1');
    const other = await world.addMerchant();
    const payment = await planned(world);
    await recordOutcomes(world.db, [step(payment, { payment: stopped, events: [endEvent()] })]);
    const [row] = await world.rows<{ payment: object }>(
      'select to_jsonb(p) as payment from payments p',
    );
    const copied = { merchant_id: other.merchantId, state: 'scheduled', stop_reason: null };
    await insertRows(world.db.pool, 'payments', [{ ...row?.payment, ...copied }]);
    const twin = { ...payment, merchantId: other.merchantId };
    await recordOutcomes(world.db, [step(twin, { payment: stopped, events: [endEvent()] })]);
    const counters = await world.rows('select last_sequence from event_counters');
    expect(counters).toEqual([{ last_sequence: 1 }, { last_sequence: 1 }]);
  });
});

describe('the delivery of an event that is sent at once', () => {
  it('is written under its lease, so that nobody else claims it before that ends', async () => {
    const world = await withPayments('in_1');
    const { merchantId } = world;
    const payment = await planned(world);
    const sendLeaseUntil = addMs(worldStart, dayMs);
    const events = [endEvent()];
    const outcome = step(payment, { payment: stopped, events, sendLeaseUntil });
    expect(await recordOutcomes(world.db, [outcome])).toEqual(['recorded']);
    const deliveries = createDeliveryStore(world.db);
    const claim = async (now: Date) => {
      const leaseUntil = addMs(now, dayMs);
      return (await deliveries.claimDue({ now, leaseUntil, busy: [], perMerchant: 9, limit: 9 }))
        .items;
    };
    expect(await claim(addMs(worldStart, dayMs - 1))).toEqual([]);
    expect(await claim(sendLeaseUntil)).toMatchObject([
      { merchantId, eventId: events[0]?.eventId, fence: firstDeliveryFence + 1 },
    ]);
  });

  it('is recorded by whoever sent it under the first fence', async () => {
    const world = await withPayments('in_1');
    const { merchantId } = world;
    const event = endEvent();
    const outcome = step(await planned(world), {
      payment: stopped,
      events: [event],
      sendLeaseUntil: addMs(worldStart, dayMs),
    });
    await recordOutcomes(world.db, [outcome]);
    await createDeliveryStore(world.db).record({
      merchantId,
      eventId: event.eventId,
      fence: firstDeliveryFence,
      number: 1,
      sentAt: worldStart,
      endedAt: worldStart,
      durationMs: 3,
      state: 'delivered',
      windowStartedAt: worldStart,
      status: 200,
    });
    const { rows } = await world.db.pool.query(
      'select state, tries, lease_until from deliveries where event_id = $1',
      [event.eventId],
    );
    expect(rows).toEqual([{ state: 'delivered', tries: 1, lease_until: null }]);
  });
});
