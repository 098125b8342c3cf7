import { describe, expect, it } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import { createPaymentStore } from '../../../src/store/engine/payment-store.ts';
import { cutAtShare } from '../../../src/store/engine/pick-due.ts';
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

  it('leaves out those whose share is used up', async () => {
    const world = await overdue(10, 10);
    const taken = shares(await claim(world, { busy: ['mer_test_1'] }));
    expect(taken).toEqual({ mer_test_2: 10 });
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
