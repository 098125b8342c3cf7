import { describe, expect, it } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import type { TransactionBody } from '../../../src/domain/payment-event.ts';
import type { MethodUpdate, ReportedChanges } from '../../../src/recovery/intake-ports.ts';
import { cardsOf, failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { addDispute } from '../../kits/dispute-row.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openTransaction } from '../../kits/open-transaction.ts';
import { addChanges, newTransaction, seenMethod } from './add-changes.ts';

const engineWorld = useEngineWorld();

const update = (world: EngineWorld, change: Partial<MethodUpdate> = {}): MethodUpdate => ({
  merchantId: world.merchantId,
  paymentMethodId: 'pm_new',
  customerId: 'cus_1',
  reason: 'user_added',
  sequence: 1n,
  channel: 'merchant',
  ...change,
});

const methodsOf = (world: EngineWorld) =>
  world.rows(`select payment_method_id as id, state, last_reason, signalled_at, scheme
              from payment_methods order by 1`);

describe('what an event adds', () => {
  it('stands there once, however often it is applied', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_1', 'pm_2'] }));
    const requests = await world.claimRequests();
    await world.apply(requests);
    const before = await world.rows('select * from transactions order by psp_transaction_id');
    await world.apply(requests);
    await world.submit(failedEvent({ methods: ['pm_1', 'pm_2'] }));
    await world.settle();
    expect(before).toHaveLength(2);
    expect(await world.rows('select * from transactions order by psp_transaction_id')).toEqual(
      before,
    );
    expect(await methodsOf(world)).toMatchObject([{ id: 'pm_1' }, { id: 'pm_2' }]);
  });

  it('is paid where a success has the id of a charge that failed, in whichever order they come', async () => {
    const tell = { failed: failedEvent(), paid: paidEvent() };
    const [{ psp_transaction_id }] = tell.failed.transactions as [TransactionBody];
    const transactions = tell.paid.transactions.map((item) => ({ ...item, psp_transaction_id }));
    const paid = { ...tell.paid, transactions };
    for (const order of [
      [tell.failed, paid],
      [paid, tell.failed],
      [{ ...paid, transactions: [...tell.failed.transactions, ...transactions] }, tell.failed],
    ]) {
      for (const atOnce of [false, true]) {
        const world = await engineWorld();
        for (const event of order) {
          await world.submit(event);
          if (!atOnce) await world.settle();
        }
        await world.settle();
        expect(await world.rows('select success from transactions')).toEqual([{ success: true }]);
        expect(await world.payment()).toMatchObject({ stopReason: 'recovered_elsewhere' });
        await world.close();
      }
    }
  });

  it('is no signal: the method is known, and not renewed', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_1'] }));
    await world.settle();
    expect(await methodsOf(world)).toEqual([
      { id: 'pm_1', state: 'active', last_reason: null, signalled_at: null, scheme: 'visa' },
    ]);
  });

  it('keeps the customer at the PSP that is known where it names none', async () => {
    const world = await engineWorld();
    const method = seenMethod(world, 'pm_1');
    await addChanges(world, { methods: [{ ...method, pspCustomerId: 'psp_1' }] });
    await addChanges(world, { methods: [method] });
    expect(await world.rows('select psp_customer_id from payment_methods')).toEqual([
      { psp_customer_id: 'psp_1' },
    ]);
  });

  it('of many invoices at once is applied as a batch', async () => {
    const world = await engineWorld();
    const invoices = Array.from({ length: 300 }, (_, index) => `in_${index}`);
    await Promise.all(
      invoices.map((invoiceId) =>
        world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) })),
      ),
    );
    await Promise.all(
      [paidEvent({ invoiceId: 'in_7' }), failedEvent()].map((event) => world.submit(event)),
    );
    await world.settle();
    const states = await world.rows(
      'select state, due_action, count(*)::int from payments group by 1, 2 order by 1',
    );
    expect(states).toEqual([
      { state: 'scheduled', due_action: 'attempt', count: 299 },
      { state: 'stopped', due_action: null, count: 1 },
    ]);
  });
});

describe('a recovery whose debt is over before it begins', () => {
  const closed = `insert into closed_invoices values ($1, 'in_1', 'voided', $2)`;
  const disputed = (world: EngineWorld) =>
    addDispute(world, { paymentMethodId: 'pm_sandbox_success' });
  const paid = async (world: EngineWorld) => {
    await world.submit(paidEvent());
    await world.settle();
  };
  const noted = async (world: EngineWorld) => {
    await world.rows(closed, [world.merchantId, worldStart]);
  };

  it.each([
    ['paid', paid, 'recovered_elsewhere'],
    ['closed', noted, 'invoice_closed'],
    ['of a disputed card', disputed, 'disputed'],
  ])('is never due: %s', async (_name, end, reason) => {
    const world = await engineWorld();
    await end(world);
    await world.submit(failedEvent());
    const key = { merchantId: world.merchantId, invoiceId: 'in_1' };
    const added = await addChanges(world, { failed: [key] });
    expect(added).toMatchObject({ started: [], ended: [{ ...key, reason }] });
    expect(await world.rows('select due_action, next_attempt_at from payments')).toEqual([
      { due_action: null, next_attempt_at: null },
    ]);
  });
});

describe('a recovery', () => {
  const key = (world: EngineWorld) => ({ merchantId: world.merchantId, invoiceId: 'in_1' });
  const times = (world: EngineWorld) =>
    world.rows('select state, due_action, next_attempt_at from payments');

  it('begins once: a failure that is applied again plans nothing anew', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    const before = await times(world);
    world.clock.passMs(hourMs);
    expect((await addChanges(world, { failed: [key(world)] })).started).toEqual([]);
    expect(await times(world)).toEqual(before);
  });

  it('begins whatever another merchant says of its own invoice of that id', async () => {
    const world = await engineWorld();
    const other = await world.addMerchant();
    const values = [other.merchantId, worldStart];
    await world.rows(`insert into closed_invoices values ($1, 'in_1', 'void', $2)`, values);
    await addChanges(world, {
      transactions: [
        { ...newTransaction(world, 'pm_1'), merchantId: other.merchantId, invoiceId: 'in_1' },
      ],
    });
    await world.submit(failedEvent());
    await world.settle();
    expect((await times(world))[0]).toMatchObject({ next_attempt_at: expect.any(Date) });
  });

  it('does not begin again where it has ended', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    await world.stop('in_1');
    const before = await times(world);
    expect((await addChanges(world, { failed: [key(world)] })).started).toEqual([]);
    expect(await times(world)).toEqual(before);
  });

  it('does not begin while an incident has frozen it', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.rows('update payments set frozen_at = $1', [worldStart]);
    expect((await addChanges(world, { failed: [key(world)] })).started).toEqual([]);
    expect(await times(world)).toMatchObject([{ due_action: null, next_attempt_at: null }]);
  });
});

describe('two batches at once', () => {
  it('never wait for each other, whichever methods their events and updates name', async () => {
    const world = await engineWorld();
    await addChanges(world, { updates: [update(world, { paymentMethodId: 'pm_0' })] });
    const batch = (sequence: bigint, own: string, other: string): Partial<ReportedChanges> => ({
      transactions: [newTransaction(world, own)],
      methods: [seenMethod(world, own)],
      updates: ['pm_0', other].map((paymentMethodId) =>
        update(world, { paymentMethodId, sequence }),
      ),
    });
    // Both have stored their events and wait for the same method.
    const both = await world.db.transaction(async (tx) => {
      await tx.query({ name: 'hold', text: `select from payment_methods for update` }, []);
      const batches = [batch(2n, 'pm_1', 'pm_2'), batch(3n, 'pm_2', 'pm_1')].map((each) =>
        addChanges(world, each),
      );
      const settled = Promise.allSettled(batches);
      await untilLockWaits((text) => world.rows(text), 2);
      return { settled };
    });
    expect(await both.settled).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
    expect((await methodsOf(world)).map(({ id }) => id)).toEqual(['pm_0', 'pm_1', 'pm_2']);
  });

  it('hold their methods before their payments: what waits for a method holds up no payment', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await using other = await openTransaction(world.db);
    await other.query(
      {
        name: 'add_method',
        text: `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, created_at, updated_at)
          values ($1, 'pm_new', 'cus_1', 'active', $2, $2)`,
      },
      [world.merchantId, worldStart],
    );
    const updated = addChanges(world, { updates: [update(world)] });
    await untilLockWaits((text) => world.rows(text));
    await other.query({ name: 'hold', text: 'select from payments for update nowait' }, []);
    await other.commit();
    expect((await updated).replanned).toHaveLength(1);
    expect(await methodsOf(world)).toMatchObject([{ id: 'pm_new', last_reason: 'user_added' }]);
  });
});

describe('what an update adds', () => {
  it('makes the customer’s open payments due for a plan, and nobody else’s', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ invoiceId: 'in_1' }));
    await world.submit(failedEvent({ invoiceId: 'in_2', pspCustomerId: 'psp_2', customerId: 'x' }));
    await world.submit(failedEvent({ invoiceId: 'in_3', customerId: 'other' }));
    await world.settle();
    world.clock.passMs(hourMs);
    const added = await addChanges(world, {
      updates: [
        update(world),
        update(world, {
          paymentMethodId: 'pm_new_2',
          customerId: 'nobody',
          pspCustomerId: 'psp_2',
        }),
      ],
    });
    const { merchantId } = world;
    expect(added.replanned.toSorted((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1))).toEqual([
      { merchantId, invoiceId: 'in_1', paymentMethodId: 'pm_new' },
      { merchantId, invoiceId: 'in_2', paymentMethodId: 'pm_new_2' },
    ]);
    expect(
      await world.rows('select invoice_id, due_action, revision from payments order by 1'),
    ).toEqual([
      { invoice_id: 'in_1', due_action: 'plan', revision: 1 },
      { invoice_id: 'in_2', due_action: 'plan', revision: 1 },
      { invoice_id: 'in_3', due_action: 'attempt', revision: 0 },
    ]);
  });

  it('leaves a payment under way its time and its lease, and raises its revision', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(addMs(worldStart, 24 * hourMs));
    await world.claimPayments();
    const before = await world.rows(
      'select next_attempt_at, lease_until, due_action from payments',
    );
    await addChanges(world, { updates: [update(world)] });
    expect(
      await world.rows('select next_attempt_at, lease_until, due_action from payments'),
    ).toEqual(before);
    expect(await world.rows('select revision from payments')).toEqual([{ revision: 1 }]);
  });

  it('gives no time to a payment that an incident froze, and changes it', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    await world.rows('update payments set frozen_at = $1, next_attempt_at = null', [worldStart]);
    await addChanges(world, { updates: [update(world)] });
    expect(await world.rows('select revision, next_attempt_at from payments')).toEqual([
      { revision: 1, next_attempt_at: null },
    ]);
  });

  it('takes up a payment that was set aside', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    const aside = `update payments
      set set_aside_at = $1, set_aside_reason = 'it broke', next_attempt_at = null`;
    await world.rows(aside, [worldStart]);
    await addChanges(world, { updates: [update(world)] });
    expect(
      await world.rows('select set_aside_at, set_aside_reason, next_attempt_at from payments'),
    ).toEqual([{ set_aside_at: null, set_aside_reason: null, next_attempt_at: world.clock.now() }]);
  });

  it('of one method in one batch is the last', async () => {
    const world = await engineWorld();
    await addChanges(world, {
      updates: [update(world), update(world, { reason: 'user_removed' })],
    });
    expect(await methodsOf(world)).toMatchObject([
      { state: 'removed', last_reason: 'user_removed' },
    ]);
  });

  it('that follows a removal counts, however soon its PSP tells it', async () => {
    const world = await engineWorld();
    const told = async (reason: MethodUpdate['reason'], sequence: bigint) => {
      world.clock.passMs(1_000);
      await addChanges(world, { updates: [update(world, { reason, sequence, channel: 'psp' })] });
    };
    await told('user_added', 1n);
    await told('user_removed', 2n);
    await told('user_added', 3n);
    expect(await methodsOf(world)).toMatchObject([
      { state: 'active', signalled_at: world.clock.now() },
    ]);
  });

  it('keeps the customer that is known where it names them in one way only', async () => {
    const world = await engineWorld();
    await addChanges(world, { updates: [update(world, { pspCustomerId: 'psp_1' })] });
    const { customerId: _, ...bare } = update(world);
    await addChanges(world, { updates: [{ ...bare, pspCustomerId: 'psp_1' }] });
    expect(await world.rows('select customer_id, psp_customer_id from payment_methods')).toEqual([
      { customer_id: 'cus_1', psp_customer_id: 'psp_1' },
    ]);
  });

  it('is another merchant’s own business', async () => {
    const world = await engineWorld();
    const other = await world.addMerchant();
    await world.submit(failedEvent());
    await world.settle();
    await world.rows(`update payments set psp_customer_id = 'psp_1'`);
    const { merchantId } = other;
    const added = await addChanges(world, {
      updates: [update(world, { merchantId, pspCustomerId: 'psp_1' })],
    });
    expect(added.replanned).toEqual([]);
    expect(await world.rows('select revision from payments')).toEqual([{ revision: 0 }]);
  });

  // Two batches under way at once: the later one is applied first.
  it('does not undo an update that was accepted after it', async () => {
    const world = await engineWorld();
    const body = { customer_id: 'cus_1', payment_method_id: 'pm_1' };
    await world.submitUpdate({ ...body, reason: 'user_added' });
    const earlier = await world.claimRequests();
    world.clock.passMs(1_000);
    await world.submitUpdate({ ...body, reason: 'user_removed' });
    await world.apply(await world.claimRequests());
    await world.apply(earlier);
    expect(await methodsOf(world)).toMatchObject([{ state: 'removed' }]);
  });
});

describe('batches that touch the same payments', () => {
  it('do not lock each other out', async () => {
    const world = await engineWorld();
    const invoices = Array.from({ length: 30 }, (_, index) => `in_${index}`);
    for (const invoiceId of invoices) {
      await world.submit(
        failedEvent({ invoiceId, customerId: `cus_${invoiceId}`, methods: cardsOf(invoiceId) }),
      );
    }
    await world.settle();
    const updates = invoices.map((invoiceId) =>
      update(world, { customerId: `cus_${invoiceId}`, paymentMethodId: `pm_${invoiceId}` }),
    );
    const batches = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? updates : updates.toReversed(),
    );
    await Promise.all([
      ...batches.map((batch) => addChanges(world, { updates: batch })),
      world.settle(),
    ]);
    expect(await world.rows('select distinct revision from payments')).toEqual([{ revision: 6 }]);
  });
});
