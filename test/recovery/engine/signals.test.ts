import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import type { PaymentMethodUpdateBody } from '../../../src/domain/payment-event.ts';
import { findRequest } from '../../../src/store/views/request-views.ts';
import { failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';
import type { Worker } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const hours = (count: number): Date => addMs(worldStart, count * hourMs);
const expired = { raw_response_message: '54: expired card' };

const updated: PaymentMethodUpdateBody = {
  customer_id: 'cus_1',
  payment_method_id: 'pm_sandbox_success',
  reason: 'user_updated',
};

async function outcomeOf(world: EngineWorld, submitted: ReturnType<EngineWorld['submit']>) {
  const requestId = await submitted;
  await world.settle();
  const view = await findRequest(world.db, { merchantId: world.merchantId, requestId });
  return view?.outcome;
}

/** A worker to which something happens while the merchant's server is being asked. */
function whileAsking(world: EngineWorld, happens: () => Promise<unknown>): Worker {
  return world.worker((deps) => ({
    merchantClient: {
      sendWebhook: (request) => deps.merchantClient.sendWebhook(request),
      async askRetryStatus(request) {
        world.clock.passMs(minuteMs);
        await happens();
        await world.apply(await world.claimRequests());
        return deps.merchantClient.askRetryStatus(request);
      },
    },
  }));
}

const chargedMethods = async (world: EngineWorld) =>
  (await world.ledger()).map((charge) => charge.payment_method);

describe('a payment-method update', () => {
  it.each([
    ['customer_id', updated],
    ['psp_customer_id', { ...updated, customer_id: undefined, psp_customer_id: 'psp_cus_1' }],
    ['both', { ...updated, psp_customer_id: 'psp_cus_1' }],
    ['one of them and another', { ...updated, psp_customer_id: 'psp_cus_other' }],
  ])('that names the customer by %s revives a payment that waits for it', async (_, body) => {
    const world = await engineWorld();
    await world.submit(failedEvent({ outcome: expired, pspCustomerId: 'psp_cus_1' }));
    await world.runUntil(hours(40));
    expect((await world.payment()).decision).toMatchObject({ kind: 'wait_for_update' });
    const outcome = await outcomeOf(world, world.submitUpdate(JSON.parse(JSON.stringify(body))));
    expect(outcome).toEqual({
      result: 'payment_method_recorded',
      replanned_invoice_ids: ['in_1'],
    });
    expect(await world.payment()).toMatchObject({ status: 'recovered', updatedAt: hours(40) });
    await expectSound(world);
  });

  it.each(['user_added', 'user_updated', 'network_updated', undefined] as const)(
    'of reason %s pulls the next attempt forward to now',
    async (reason) => {
      const world = await engineWorld();
      await world.submit(failedEvent());
      await world.runUntil(hours(5));
      const { payment_method_id } = updated;
      const body = { customer_id: 'cus_1', payment_method_id, ...(reason && { reason }) };
      await world.submitUpdate(body);
      await world.settle();
      expect(await world.payment()).toMatchObject({ status: 'recovered', updatedAt: hours(5) });
    },
  );

  it('puts an added method before those that the payment had', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(hours(5));
    const payment_method_id = 'pm_sandbox_decline_51--new';
    await world.submitUpdate({ ...updated, payment_method_id, reason: 'user_added' });
    await world.settle();
    expect(await chargedMethods(world)).toEqual([payment_method_id, 'pm_sandbox_decline_51']);
    await expectSound(world);
  });

  it('leads to one try, not to one after another', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(hours(5));
    await world.submitUpdate({ ...updated, payment_method_id: 'pm_sandbox_decline_51' });
    await world.runUntil(hours(23));
    expect(await world.ledger()).toHaveLength(1);
    expect((await world.payment()).nextAttemptAt).toEqual(hours(24));
  });

  it('allows a method again that its issuer had closed', async () => {
    const world = await engineWorld();
    const event = failedEvent({ outcome: { raw_response_message: '43: stolen card' } });
    await world.submit(event);
    await world.runUntil(hours(5));
    await world.submitUpdate(updated);
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
  });

  it.each([
    ['of another customer', { ...updated, customer_id: 'cus_other' }],
    ['of another customer at the PSP', { psp_customer_id: 'x', payment_method_id: 'pm_new' }],
  ])('%s changes no plan', async (_, body) => {
    const world = await engineWorld();
    await world.submit(failedEvent({ pspCustomerId: 'psp_cus_1' }));
    await world.runUntil(hours(5));
    const outcome = await outcomeOf(world, world.submitUpdate(body));
    expect(outcome).toEqual({ result: 'payment_method_recorded', replanned_invoice_ids: [] });
    expect((await world.payment()).nextAttemptAt).toEqual(hours(24));
  });

  it('leaves a payment that has ended as it is', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.runUntil(hours(24));
    const before = await world.payment();
    await world.submitUpdate(updated);
    await world.runUntil(hours(72));
    expect(await world.payment()).toEqual(before);
    expect(await world.ledger()).toHaveLength(1);
  });

  it('that comes while an attempt is under way is planned for when it has ended', async () => {
    const world = await engineWorld();
    const fresh = { ...updated, payment_method_id: 'pm_sandbox_success--new' };
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(hours(23));
    const worker = whileAsking(world, () => world.submitUpdate(fresh));
    world.clock.set(hours(24));
    for (const due of await worker.claimPayments()) await worker.run(due);
    const { status, nextAttemptAt } = await world.payment();
    expect([status, nextAttemptAt]).toEqual(['scheduled', addMs(hours(24), minuteMs)]);
    await world.settle();
    expect(await chargedMethods(world)).toEqual([
      'pm_sandbox_decline_51',
      'pm_sandbox_success--new',
    ]);
    await expectSound(world);
  });

  it('that comes while a try is being put off is known to the next one', async () => {
    const world = await engineWorld();
    const fresh = { ...updated, payment_method_id: 'pm_sandbox_success--new' };
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(hours(23));
    world.server.answerLookups(
      { status: 429, headers: { 'retry-after': '600' } },
      { body: { retry: true, reason: 'open' } },
    );
    const worker = whileAsking(world, () => world.submitUpdate(fresh));
    world.clock.set(hours(24));
    for (const due of await worker.claimPayments()) await worker.run(due);
    const { nextAttemptAt: next = hours(24) } = await world.payment();
    expect(next.getTime()).toBeGreaterThanOrEqual(addMs(hours(24), 11 * minuteMs).getTime());
    await world.runUntil(next);
    expect(await chargedMethods(world)).toEqual(['pm_sandbox_success--new']);
    await expectSound(world);
  });
});

describe('a removal', () => {
  const removed = (payment_method_id: string): PaymentMethodUpdateBody => ({
    customer_id: 'cus_1',
    payment_method_id,
    reason: 'user_removed',
  });

  it('takes the method out of the next try', async () => {
    const world = await engineWorld();
    const methods = ['pm_sandbox_decline_51--1', 'pm_sandbox_success', 'pm_sandbox_decline_51--2'];
    await world.submit(failedEvent({ methods }));
    await world.runUntil(hours(5));
    await world.submitUpdate(removed('pm_sandbox_success'));
    await world.runUntil(hours(24));
    expect(await chargedMethods(world)).toEqual([methods[0], methods[2]]);
    await expectSound(world);
  });

  it('holds against an answer that names the method', async () => {
    const world = await engineWorld();
    const methods = ['pm_sandbox_decline_51', 'pm_sandbox_success'];
    await world.submit(failedEvent({ methods }));
    await world.submitUpdate(removed('pm_sandbox_success'));
    const payment_methods = methods.toReversed().map((id) => ({ id }));
    world.server.answerLookups({ body: { retry: true, reason: 'open', payment_methods } });
    await world.runUntil(hours(24));
    expect(await chargedMethods(world)).toEqual(['pm_sandbox_decline_51']);
    const skipped = [{ payment_method: 'pm_sandbox_success', why: 'removed' }];
    expect((await world.payment()).attempts[0]?.check).toMatchObject({ skipped });
    await expectSound(world);
  });

  it('of the last method leaves the payment waiting for another', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.submitUpdate(removed('pm_sandbox_success'));
    await world.runUntil(hours(72));
    expect((await world.payment()).decision).toMatchObject({ kind: 'wait_for_update' });
    await world.submitUpdate({ ...updated, payment_method_id: 'pm_sandbox_success--2' });
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
    expect(await chargedMethods(world)).toEqual(['pm_sandbox_success--2']);
  });

  it('of a closed method leaves the others their turn', async () => {
    const world = await engineWorld();
    const outcome = { raw_response_message: '43: stolen card' };
    const stolen = failedEvent({ methods: ['pm_stolen'], outcome });
    const other = failedEvent({ methods: ['pm_other', 'pm_sandbox_success'] });
    const transactions = [...stolen.transactions, ...other.transactions.slice(1)];
    await world.submit({ ...stolen, transactions });
    await world.submitUpdate(removed('pm_stolen'));
    await world.runUntil(hours(24));
    expect((await world.payment()).status).toBe('recovered');
  });

  it('stands until the method is reported again', async () => {
    const world = await engineWorld();
    await world.submitUpdate(removed('pm_sandbox_success'));
    await world.submit(failedEvent());
    await world.runUntil(hours(30));
    expect(await world.ledger()).toEqual([]);
    await world.submitUpdate({ ...updated, reason: 'user_added' });
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
  });

  it('that comes while a try is being put off holds for the next one', async () => {
    const world = await engineWorld();
    const methods = ['pm_sandbox_decline_51', 'pm_sandbox_success'];
    await world.submit(failedEvent({ methods }));
    await world.runUntil(hours(23));
    world.server.answerLookups({ status: 500 }, { body: { retry: true, reason: 'open' } });
    const worker = whileAsking(world, () => world.submitUpdate(removed('pm_sandbox_success')));
    world.clock.set(hours(24));
    for (const due of await worker.claimPayments()) await worker.run(due);
    await world.runUntil(hours(30));
    expect(await chargedMethods(world)).toEqual(['pm_sandbox_decline_51']);
    await expectSound(world);
  });
});

describe('updates of one method that are applied together', () => {
  it('count in the order in which they were accepted', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    for (const reason of ['user_added', 'user_removed'] as const) {
      world.clock.passMs(1);
      await world.submitUpdate({ ...updated, reason });
    }
    await world.settle();
    const [method] = await world.rows('select state, last_reason from payment_methods');
    expect(method).toEqual({ state: 'removed', last_reason: 'user_removed' });
  });
});

describe('a success elsewhere', () => {
  it('ends the recovery, and says so', async () => {
    const world = await engineWorld({ endOfDunning: true });
    await world.submit(failedEvent());
    await world.runUntil(hours(5));
    const outcome = await outcomeOf(world, world.submit(paidEvent({ at: hours(4) })));
    expect(outcome).toEqual({ invoice_id: 'in_1', result: 'recovery_ended' });
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'recovered_elsewhere',
    });
    await world.runUntil(hours(100));
    expect(world.server.lookups).toEqual([]);
    expect((await world.events()).map((event) => event.type)).toEqual(['end_of_dunning']);
    await expectSound(world);
  });

  it.each(['in one batch', 'applied before'])(
    'that was reported before the failure ends it too (%s)',
    async (how) => {
      const world = await engineWorld();
      await world.submit(paidEvent({ at: hours(-1) }));
      if (how === 'applied before') await world.settle();
      const outcome = await outcomeOf(world, world.submit(failedEvent({ at: hours(-2) })));
      expect(outcome).toEqual({ invoice_id: 'in_1', result: 'recovery_ended' });
      expect((await world.payment()).status).toBe('stopped');
      await world.runUntil(hours(48));
      expect(await world.ledger()).toEqual([]);
      await expectSound(world);
    },
  );

  it('while the merchant is being asked keeps the charge from being made', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    const worker = whileAsking(world, () => world.submit(paidEvent()));
    world.clock.set(hours(24));
    await worker.settle();
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'recovered_elsewhere',
      attempts: [{ status: 'not_attempted' }],
    });
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it.each([
    ['pm_sandbox_decline_51', 'stopped', 'declined'],
    ['pm_sandbox_success', 'recovered', 'succeeded'],
  ])('while %s is being charged: the payment ends %s', async (method, status, attempt) => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: [method, 'pm_sandbox_success--2'] }));
    await world.settle();
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request) {
          const result = await gateway.charge(request);
          await world.submit(paidEvent());
          await world.apply(await world.claimRequests());
          return result;
        },
      })),
    );
    world.clock.set(hours(24));
    await worker.settle();
    expect(await world.payment()).toMatchObject({ status, attempts: [{ status: attempt }] });
    expect(await world.ledger()).toHaveLength(1);
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('of another invoice changes nothing', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    const outcome = await outcomeOf(world, world.submit(paidEvent({ invoiceId: 'in_2' })));
    expect(outcome).toEqual({ invoice_id: 'in_2', result: 'history_recorded' });
    expect((await world.payment()).status).toBe('scheduled');
  });

  it('of a payment that we recovered changes nothing', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.runUntil(hours(24));
    const outcome = await outcomeOf(world, world.submit(paidEvent()));
    expect(outcome).toEqual({ invoice_id: 'in_1', result: 'history_recorded' });
    expect((await world.payment()).status).toBe('recovered');
  });
});

describe('a further failure of an invoice', () => {
  it('is history: it neither restarts nor changes the recovery under way', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    const before = await world.payment();
    world.clock.set(hours(3));
    const again = failedEvent({ at: hours(2), amount: 99, methods: ['pm_other'] });
    const outcome = await outcomeOf(world, world.submit(again));
    expect(outcome).toEqual({ invoice_id: 'in_1', result: 'history_recorded' });
    expect(await world.payment()).toEqual(before);
    await expectSound(world);
  });

  it('does not revive a payment that has ended', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.runUntil(hours(24));
    world.clock.set(addMs(worldStart, 40 * dayMs));
    await world.submit(failedEvent({ at: addMs(worldStart, 40 * dayMs) }));
    await world.runUntil(addMs(worldStart, 80 * dayMs));
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.ledger()).toHaveLength(1);
  });
});
