import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { ListPayments } from '../../../src/recovery/api.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { listPayments, showPayment } from '../../../src/store/views/payment-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

describe('a payment', () => {
  it('is shown with everything that touched it', async () => {
    const world = await engineWorld();
    const methods = ['pm_sandbox_decline_51', 'pm_sandbox_success_after_4'];
    await world.submit(failedEvent({ methods, custom: { plan: 'gold' } }));
    await world.runUntil(addMs(worldStart, 3 * dayMs));
    const view = await world.payment();
    const ledger = await world.ledger();
    expect(view).toMatchObject({
      invoiceId: 'in_1',
      customerId: 'cus_1',
      subscriptionId: 'sub_of_in_1',
      transactionId: 'txn_in_1_1',
      originalPspTransactionId: 'ch_failed_in_1_1',
      psp: 'sandbox',
      status: 'recovered',
      amountMinor: 1223,
      currency: 'USD',
      custom: { plan: 'gold' },
      failedAt: worldStart,
      windowEndsAt: addMs(worldStart, 28 * dayMs),
      attemptCount: 2,
      createdAt: worldStart,
      updatedAt: addMs(worldStart, 3 * dayMs),
    });
    expect(view.attempts).toMatchObject([
      {
        number: 1,
        status: 'declined',
        startedAt: addMs(worldStart, dayMs),
        endedAt: addMs(worldStart, dayMs),
        amountMinor: 1223,
        currency: 'USD',
        decision: { kind: 'attempt', policy: 'fixed', methods },
        check: { retry: true, reason: 'Invoice open' },
        transactions: [
          {
            ordinal: 1,
            paymentMethodId: methods[0],
            decline: { category: 'later', code: 'insufficient_funds' },
          },
          { ordinal: 2, paymentMethodId: methods[1], status: 'declined' },
        ],
      },
      { number: 2, status: 'succeeded' },
    ]);
    const ids = view.attempts.flatMap((attempt) =>
      attempt.transactions.map((transaction) => transaction.pspTransactionId),
    );
    expect(ids).toEqual(ledger.map((charge) => charge.id));
    expect(view.deliveries).toMatchObject([
      { type: 'retry_result', status: 'delivered', tries: 1, lastStatus: 200 },
      { type: 'retry_result', status: 'delivered' },
    ]);
  });

  it('that has neither attempts nor optional facts is shown without them', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    const view = await world.payment();
    expect(view.attempts).toEqual([]);
    expect(view.deliveries).toEqual([]);
    expect(Object.values(view)).not.toContain(undefined);
    expect(Object.values(view)).not.toContain(null);
    for (const name of ['custom', 'stopReason', 'nextAttemptAt', 'decision']) {
      expect(view).not.toHaveProperty(name);
    }
  });

  it('of another merchant is none', async () => {
    const world = await engineWorld();
    const other = await world.addMerchant();
    await world.submit(failedEvent());
    const { merchantId } = other;
    expect(await showPayment(world.db, { merchantId, invoiceId: 'in_1' })).toBeUndefined();
    expect((await listPayments(world.db, { merchantId, limit: 10 })).items).toEqual([]);
  });

  it('that waits for an update, or is being attempted, has no next attempt', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ outcome: { raw_response_message: '54' } }));
    await world.submit(failedEvent({ invoiceId: 'in_2' }));
    await world.settle();
    expect(await world.payment('in_1')).not.toHaveProperty('nextAttemptAt');
    expect(await world.payment('in_2')).toHaveProperty('nextAttemptAt');
    world.clock.set(addMs(worldStart, dayMs));
    await world.claimPayments();
    expect(await world.payment('in_2')).not.toHaveProperty('nextAttemptAt');
  });
});

describe('the list of payments', () => {
  /** Six payments, an hour apart, of two customers; the second of them stopped. */
  async function listed(): Promise<EngineWorld> {
    const world = await engineWorld();
    for (let index = 0; index < 6; index += 1) {
      world.clock.set(addMs(worldStart, index * hourMs));
      const customerId = index % 2 === 0 ? 'cus_even' : 'cus_odd';
      await world.submit(failedEvent({ invoiceId: `in_${index}`, customerId }));
    }
    await world.settle();
    await world.stop('in_1');
    return world;
  }

  const list = async (world: EngineWorld, filter: Partial<ListPayments> = {}) =>
    (
      await listPayments(world.db, { merchantId: world.merchantId, limit: 50, ...filter })
    ).items.map((item) => item.invoiceId);
  const at = (hours: number): Date => addMs(worldStart, hours * hourMs);

  it('is the newest first, under any filters', async () => {
    const world = await listed();
    expect(await list(world)).toEqual(['in_5', 'in_4', 'in_3', 'in_2', 'in_1', 'in_0']);
    expect(await list(world, { status: 'stopped' })).toEqual(['in_1']);
    expect(await list(world, { status: 'recovered' })).toEqual([]);
    expect(await list(world, { customerId: 'cus_even' })).toEqual(['in_4', 'in_2', 'in_0']);
    expect(await list(world, { createdFrom: at(2) })).toEqual(['in_5', 'in_4', 'in_3', 'in_2']);
    expect(await list(world, { createdTo: at(2) })).toEqual(['in_1', 'in_0']);
    expect(
      await list(world, { createdFrom: at(1), createdTo: at(4), customerId: 'cus_odd' }),
    ).toEqual(['in_3', 'in_1']);
  });

  it('is read in pages that miss and repeat nothing, under every set of filters', async () => {
    const world = await listed();
    // One connection: every statement of the list meets the others there.
    const single = openDatabase(
      { log: { warn() {} } },
      { connectionString: world.connectionString, poolSize: 1 },
    );
    const all = {
      status: 'scheduled',
      customerId: 'cus_even',
      createdFrom: at(0),
      createdTo: at(9),
    } as const;
    const names = Object.keys(all) as (keyof typeof all)[];
    try {
      for (let set = 0; set < 16; set += 1) {
        const chosen = names.filter((_, index) => (set & (1 << index)) !== 0);
        const filter: Partial<ListPayments> = Object.fromEntries(
          chosen.map((name) => [name, all[name]]),
        );
        const pages: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await listPayments(single, {
            merchantId: world.merchantId,
            limit: 1,
            ...filter,
            ...(cursor === undefined ? {} : { cursor }),
          });
          pages.push(...page.items.map((item) => item.invoiceId));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(pages).toEqual(await list(world, filter));
      }
    } finally {
      await single.close();
    }
  });

  it('tells those that only their customer can move, unless they are frozen', async () => {
    const world = await listed();
    const lost = { invoiceId: 'in_lost', customerId: 'cus_lost' };
    await world.submit(failedEvent({ ...lost, methods: ['pm_sandbox_decline_54'] }));
    await world.runUntil(addMs(world.clock.now(), 2 * dayMs));
    expect(await list(world, { waitingFor: 'customer' })).toEqual(['in_lost']);
    expect(await list(world, { waitingFor: 'customer', status: 'recovered' })).toEqual([]);
    expect(await world.payment('in_lost')).toMatchObject({
      status: 'scheduled',
      waitingFor: 'customer',
    });
    expect(await world.payment('in_1')).not.toHaveProperty('waitingFor');
    await world.db.pool.query(
      `update payments set next_attempt_at = null, frozen_at = now() where invoice_id = 'in_lost'`,
    );
    expect(await list(world, { waitingFor: 'customer' })).toEqual([]);
    expect(await list(world, { waitingFor: 'attempt' })).toContain('in_lost');
    expect(await world.payment('in_lost')).toMatchObject({ heldBy: 'incident' });
    await world.db.pool.query(
      `update payments set frozen_at = null, set_aside_at = now(), set_aside_reason = 'down'
       where invoice_id = 'in_lost'`,
    );
    expect(await world.payment('in_lost')).toMatchObject({ heldBy: 'set_aside' });
    expect(await world.payment('in_1')).not.toHaveProperty('heldBy');
  });

  it('pages through payments of one moment', async () => {
    const world = await engineWorld();
    const invoices = ['in_a', 'in_b', 'in_c', 'in_d', 'in_e'];
    await Promise.all(invoices.map((invoiceId) => world.submit(failedEvent({ invoiceId }))));
    const { merchantId } = world;
    const first = await listPayments(world.db, { merchantId, limit: 2 });
    const rest = await listPayments(world.db, {
      merchantId,
      limit: 3,
      cursor: first.nextCursor ?? '',
    });
    expect([...first.items, ...rest.items].map((item) => item.invoiceId)).toEqual(
      invoices.toReversed(),
    );
    expect(rest.nextCursor).toBeUndefined();
  });

  it.each(['', 'x', 'bnVsbA', Buffer.from('["2026-03-01"]').toString('base64url')])(
    'refuses a cursor that it did not give: %j',
    async (cursor) => {
      const world = await engineWorld();
      const { merchantId } = world;
      const listing = listPayments(world.db, { merchantId, limit: 1, cursor });
      await expect(listing).rejects.toBeInstanceOf(AppError);
      await expect(listing).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );
});
