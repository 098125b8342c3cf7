import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../src/domain/clock.ts';
import type { SubscriptionCard } from '../../src/recovery/card-notices/subscription-card.ts';
import { archivePayments } from '../../src/store/archive/archive-payments.ts';
import { writeNoticeEvents } from '../../src/store/card-notices/write-notice-events.ts';
import { createRestoreStore } from '../../src/store/reconciliation/restore-store.ts';
import { sweepRollups } from '../../src/store/rollups/sweep-rollups.ts';
import { worldStart } from '../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../kits/engine.ts';
import { reconciliationKit } from '../kits/reconciliation.ts';
import { holdPayment, reportEach, waits } from '../kits/waits-in-order.ts';
import { endedWorld, later } from './archive/archived-world.ts';
import { addChanges } from './intake/add-changes.ts';

const engineWorld = useEngineWorld();

async function submitted(...invoices: readonly string[]): Promise<EngineWorld> {
  const world = await reportEach(await engineWorld(), invoices);
  await world.settle();
  return world;
}

describe('payments are held in the order of their ids', () => {
  it('by charges that are adopted after a restore, as by steps of the engine', async () => {
    const world = await submitted('in_1', 'in_2');
    const { runs, begin } = reconciliationKit(world);
    const run = await begin({ purpose: 'restore' });
    // In the order in which they were made.
    const charges = ['in_2', 'in_1'].map((invoiceId) => ({
      idempotencyKey: `key_${invoiceId}`,
      attemptId: `att_${invoiceId}`,
      invoiceId,
      paymentMethodId: 'pm_1',
      pspTransactionId: `ch_${invoiceId}`,
      state: 'declined' as const,
      amountMinor: 4200,
      currency: 'USD',
      createdAt: worldStart,
    }));
    await waits(world, {
      first: holdPayment('in_1'),
      later: holdPayment('in_2', ' nowait'),
      work: () => runs.adopt(run, charges, worldStart),
    });
    expect(await world.rows('select state from psp_transactions')).toHaveLength(2);
  });

  it('by the check of a restored backup, which marks them', async () => {
    const world = await submitted('in_0');
    // So many that they are not looked up one by one, and lie in another order.
    await world.rows(
      `insert into payments
       select (jsonb_populate_record(p, jsonb_build_object('invoice_id', 'in_' || n))).*
       from payments p, generate_series(3999, 1001, -1) n`,
    );
    await world.rows('analyze payments');
    const checks = createRestoreStore(world.db);
    await checks.begin({ restoredFrom: worldStart, at: worldStart });
    const isMore = await waits(world, {
      first: holdPayment('in_1001'),
      later: holdPayment('in_2999', ' nowait'),
      work: () => checks.markPayments(),
    });
    expect(isMore).toBe(true);
    const marked = await world.rows('select 1 from payments where charge_may_exist');
    expect(marked).toHaveLength(2_000);
  });
});

describe('deliveries are held in the order of their events', () => {
  it.each(['deliveries', 'endpoint_deliveries'])(
    'by the archive, as by what records sends: %s',
    async (table) => {
      const world = await endedWorld(engineWorld);
      for (const [index, eventId] of Array.from(
        { length: 12 },
        (_, n) => `evt_${21 - n}`,
      ).entries()) {
        const changed = JSON.stringify({
          ...{ event_id: eventId, sequence: 900 + index, type: 'incident' },
          attempt_id: null,
        });
        for (const copied of ['events', 'deliveries', 'endpoint_deliveries']) {
          await world.rows(
            `insert into ${copied} select (jsonb_populate_record(t, $1)).* from ${copied} t
           where t.event_id = (select event_id from endpoint_deliveries order by created_at limit 1)`,
            [changed],
          );
        }
      }
      await waits(world, {
        first: `select 1 from ${table} where event_id = 'evt_10' for update`,
        later: `select count(*) from (
                select 1 from ${table} where event_id between 'evt_11' and 'evt_21' for update nowait) d`,
        work: () => archivePayments(world.db, { before: later, at: world.clock.now() }),
      });
      expect(await world.rows('select 1 from archived_payments')).toHaveLength(2);
    },
  );
});

describe('notices of cards are held before the cards of subscriptions', () => {
  const ends = addMs(worldStart, 10 * dayMs);
  const cardOf = (
    world: EngineWorld,
    name: number,
    change: Partial<SubscriptionCard> = {},
  ): SubscriptionCard => ({
    merchantId: world.merchantId,
    subscriptionId: `sub_${name}`,
    customerId: 'cus_1',
    paymentMethodId: `pm_${31 - name}`,
    billedAt: worldStart,
    isPaid: true,
    cardEndsAt: ends,
    renewsAt: addMs(worldStart, 30 * dayMs),
    ...change,
  });

  const names = Array.from({ length: 12 }, (_, index) => index + 10);

  /** Subscriptions of a customer, of whose cards the merchant was told, the last ones first. */
  async function noticed(): Promise<EngineWorld> {
    const world = await engineWorld();
    await addChanges(world, { cards: names.map((name) => cardOf(world, name)) });
    await world.rows(
      `insert into card_notices (merchant_id, payment_method_id, card_ends_at, subscription_id,
         customer_id, renews_at, told_at)
       select merchant_id, payment_method_id, card_ends_at, subscription_id, customer_id, renews_at, $1
       from subscription_cards order by payment_method_id desc`,
      [worldStart],
    );
    return world;
  }

  const firstNotice = `select 1 from card_notices where payment_method_id = 'pm_10' for update`;
  const otherNotices = `select count(*) from (
    select 1 from card_notices where payment_method_id > 'pm_10' for update nowait) n`;
  const card = (name: number, how = '') =>
    `select 1 from subscription_cards where subscription_id = 'sub_${name}' for update${how}`;
  const endedNotices = (world: EngineWorld) =>
    world.rows('select 1 from card_notices where resolved_at is not null');
  const update = (world: EngineWorld) =>
    addChanges(world, {
      updates: [
        {
          merchantId: world.merchantId,
          paymentMethodId: 'pm_3',
          customerId: 'cus_1',
          reason: 'user_added',
          sequence: 1n,
          channel: 'merchant',
        },
      ],
    });

  it('by a changed method of the customer, as by a report of the next bill', async () => {
    const world = await noticed();
    await waits(world, {
      first: firstNotice,
      later: card(21, ' nowait'),
      work: () => update(world),
    });
    expect(await endedNotices(world)).toHaveLength(12);
  });

  it('and several notices in the order of their cards by a changed method', async () => {
    const world = await noticed();
    await waits(world, {
      first: firstNotice,
      later: otherNotices,
      work: () => update(world),
    });
    expect(await endedNotices(world)).toHaveLength(12);
  });

  it('and by a batch of bills', async () => {
    const world = await noticed();
    const billed = { billedAt: addMs(worldStart, dayMs), cardEndsAt: addMs(ends, dayMs) };
    await waits(world, {
      first: firstNotice,
      later: otherNotices,
      work: () => addChanges(world, { cards: names.map((name) => cardOf(world, name, billed)) }),
    });
    expect(await endedNotices(world)).toHaveLength(12);
  });

  it('and several subscriptions in the order of their ids, whether their bills say when the card ends or not', async () => {
    const world = await noticed();
    const billedAt = addMs(worldStart, dayMs);
    const { cardEndsAt: _, ...withoutEnd } = cardOf(world, 11, { billedAt });
    await waits(world, {
      first: card(10),
      later: card(11, ' nowait'),
      work: () => addChanges(world, { cards: [withoutEnd, cardOf(world, 10, { billedAt })] }),
    });
    const billed = await world.rows('select 1 from subscription_cards where billed_at = $1', [
      billedAt,
    ]);
    expect(billed).toHaveLength(2);
  });
});

describe('counters of events are held in the order of their merchants', () => {
  it('by what tells several merchants of cards, as by batches of results', async () => {
    const world = await engineWorld();
    const first = 'mer_!';
    await world.rows('update merchants set customer_action_events = true');
    await world.rows(
      `insert into merchants
       select (jsonb_populate_record(m, jsonb_build_object('merchant_id', $1::text))).* from merchants m`,
      [first],
    );
    await world.rows(
      'insert into event_counters (merchant_id, last_sequence) select merchant_id, 0 from merchants',
    );
    const counter = (of: string, how = '') =>
      `select 1 from event_counters where merchant_id ${of} '${first}' for update${how}`;
    const events = [world.merchantId, first].map((merchantId, index) => ({
      merchantId,
      event: { eventId: `evt_${index}`, type: 'customer_action_required', body: '{}' } as const,
    }));
    await waits(world, {
      first: counter('='),
      later: counter('<>', ' nowait'),
      work: () => world.db.transaction((tx) => writeNoticeEvents(tx, { events, at: worldStart })),
    });
    expect(await world.rows('select 1 from events')).toHaveLength(2);
  });
});

describe('the progress of a count is held before its sums', () => {
  it.each([
    {
      name: 'payments',
      table: 'cohort_rollups',
      columns: 'merchant_id, day, currency, category, outcome, payments, amount_minor, attempts',
      sum: (key: string) => `'mer_1', '2026-01-01', 'USD', '${key}', 'open', 0, 0, 0`,
      key: 'category',
    },
    {
      name: 'uplift',
      table: 'experiment_sums',
      columns: 'merchant_id, week, payer_group, arm, payments, recovered, tries, succeeded',
      sum: (key: string) => `'mer_1', '2025-12-29', 1, '${key}', 0, 0, 0, 0`,
      key: 'arm',
    },
  ])('by what sweeps empty sums: $table', async ({ name, table, columns, sum, key }) => {
    const world = await engineWorld();
    await world.rows(`insert into ${table} (${columns}) values (${sum('b')}), (${sum('a')})`);
    const counted = (of: string) =>
      `update ${table} set payments = 1 where ${key} = '${of}' returning 1`;
    await waits(world, {
      first: `with progress as (select 1 from rollup_progress where name = '${name}' for update),
                counted as (${counted('a')})
              select count(*) from progress, counted`,
      later: counted('b'),
      work: () => sweepRollups(world.db),
    });
    expect(await world.rows(`select 1 from ${table} where merchant_id = 'mer_1'`)).toHaveLength(2);
    await world.rows(`delete from ${table} where merchant_id = 'mer_1'`);
  });
});
