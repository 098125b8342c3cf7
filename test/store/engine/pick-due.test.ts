import { describe, expect, it } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import { createDeliveryStore } from '../../../src/store/engine/delivery-store.ts';
import { createPaymentStore } from '../../../src/store/engine/payment-store.ts';
import { cutAtShare, fewRows } from '../../../src/store/engine/pick-due.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { claimInput } from './held-claim.ts';

const engineWorld = useEngineWorld();

/** Merchants with so many payments overdue each; the first is the world's own. */
async function overdue(...counts: readonly number[]): Promise<EngineWorld> {
  const world = await engineWorld();
  for (const [index, count] of counts.entries()) {
    const { merchantId } = index === 0 ? world : await world.addMerchant();
    await world.rows(
      `insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
         original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids,
         first_decline, failed_at, window_ends_at, max_attempts, due_action, next_attempt_at,
         created_at, updated_at)
       select $1, 'in_' || lpad(n::text, 5, '0'), 'cus', 'txn', 'ch', 'sandbox', 100, 'USD', '{pm}',
         '{"category":"later","code":"51"}', $2, $2::timestamptz + interval '28 days', 8, 'plan',
         $2::timestamptz + n * interval '1 ms', $2, $2
       from generate_series(1, $3::int) n`,
      [merchantId, worldStart, count],
    );
  }
  world.clock.set(addMs(worldStart, minuteMs));
  return world;
}

/** From now on it is on its way to another cell. */
const beginMove = (world: EngineWorld, merchantId: string) =>
  world.rows(
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
     values ($1, 'mov_1', 'draining', 'cell_2', 'http://127.0.0.1:1', 'http://127.0.0.1:2', $2)`,
    [merchantId, worldStart],
  );

function claimDue(world: EngineWorld, change: Parameters<typeof claimInput>[1]) {
  return createPaymentStore({ db: world.db, random }).claimDue(claimInput(world, change));
}

async function claim(world: EngineWorld, change: Parameters<typeof claimInput>[1]) {
  return (await claimDue(world, change)).items;
}

/** How many of each merchant were taken. */
function shares(claimed: Awaited<ReturnType<typeof claim>>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { payment } of claimed) {
    counts[payment.merchantId] = (counts[payment.merchantId] ?? 0) + 1;
  }
  return counts;
}

describe('a claim over merchants', () => {
  it('gives each its share, whatever the backlog of one of them is', async () => {
    const world = await overdue(2_000, 5, 5, 5);
    const taken = shares(await claim(world, { limit: 40 }));
    expect(taken).toEqual({ mer_test_1: 10, mer_test_2: 5, mer_test_3: 5, mer_test_4: 5 });
  });

  it('takes no more than one merchant may have', async () => {
    const world = await overdue(50, 3);
    const taken = shares(await claim(world, { limit: 40, perMerchant: 8 }));
    expect(taken).toEqual({ mer_test_1: 8, mer_test_2: 3 });
  });

  it('takes what is due alone, beside what is due later', async () => {
    const world = await overdue(10, 3);
    world.clock.set(addMs(worldStart, 5));
    expect(shares(await claim(world, {}))).toEqual({ mer_test_1: 5, mer_test_2: 3 });
  });

  describe.each([
    ['few rows', 10],
    ['more rows than are looked at one by one', fewRows],
  ])('where %s are due', (_, count) => {
    it('leaves out those whose share is used up', async () => {
      const world = await overdue(count, 10);
      const taken = shares(await claim(world, { busy: ['mer_test_1'] }));
      expect(taken).toEqual({ mer_test_2: 10 });
    });

    it('leaves out those that are on their way to another cell', async () => {
      const world = await overdue(count, 10);
      await beginMove(world, 'mer_test_1');
      expect(shares(await claim(world, {}))).toEqual({ mer_test_2: 10 });
    });

    it('leaves out the deliveries of those whose webhooks are paused, and takes the others', async () => {
      const world = await overdue(count, 10);
      await world.rows(
        `insert into events (merchant_id, event_id, sequence, type, invoice_id, body, created_at)
         select merchant_id, 'evt_' || invoice_id, row_number() over (partition by merchant_id),
           'end_of_dunning', invoice_id, '{}', created_at from payments`,
      );
      await world.rows(
        `insert into deliveries (merchant_id, event_id, next_attempt_at, created_at)
         select merchant_id, event_id, created_at, created_at from events`,
      );
      await world.rows(
        `update merchants set webhook_paused_at = $1, webhook_paused_by = 'operator'
         where merchant_id = 'mer_test_1'`,
        [worldStart],
      );
      const deliveries = createDeliveryStore(world.db);
      const { items } = await deliveries.claimDue(claimInput(world, { perMerchant: 5 }));
      expect(items.map(({ merchantId }) => merchantId)).toEqual(Array(5).fill('mer_test_2'));
    });
  });

  it('says whether it took all that is due: no share and no limit cut it off', async () => {
    const world = await overdue(7, 3);
    const isAll = async (change: Parameters<typeof claimInput>[1]) =>
      (await claimDue(world, change)).isAll;
    // The share of each is half of the limit, though one of them needs less.
    expect(await isAll({ limit: 8 })).toBe(false);
    expect(await isAll({ limit: 3 })).toBe(false);
    expect(await isAll({ limit: 8 })).toBe(true);
    expect(await isAll({ limit: 8 })).toBe(true);
  });

  it('says whose share cut it off, where the limit did not', () => {
    const rowOf = (id: string) => ({ merchant_id: id, share: 2 });
    const rows = ['mer_1', 'mer_2', 'mer_1'].map(rowOf);
    expect(cutAtShare(rows, 4)).toEqual(['mer_1']);
    expect(cutAtShare(rows, 3)).toBeUndefined();
    expect(cutAtShare([], 4)).toEqual([]);
  });

  it('takes the payments of a merchant that are due the longest first', async () => {
    const world = await overdue(100);
    const taken = (await claim(world, { limit: 3 })).map((item) => item.payment.invoiceId);
    expect(taken.toSorted()).toEqual(['in_00001', 'in_00002', 'in_00003']);
  });

  it('reaches all where there are more merchants than places, none being always last', async () => {
    const world = await overdue(...Array.from({ length: 12 }, () => 30));
    const served = new Set<string>();
    for (let round = 0; round < 40 && served.size < 12; round += 1) {
      world.clock.passMs(1);
      const taken = await claim(world, { limit: 3 });
      expect(taken).toHaveLength(3);
      for (const { payment } of taken) served.add(payment.merchantId);
    }
    expect(served.size).toBe(12);
  });

  it('is over when nothing is due, and takes nothing twice', async () => {
    const world = await overdue(7, 9, 11);
    const taken: string[] = [];
    for (;;) {
      const some = await claim(world, { limit: 5 });
      if (some.length === 0) break;
      taken.push(...some.map(({ payment }) => `${payment.merchantId} ${payment.invoiceId}`));
    }
    expect(new Set(taken).size).toBe(27);
    expect(taken).toHaveLength(27);
  });
});
