import { expect, it } from 'vitest';
import { moveHistory } from '../../../src/store/debts/move-history.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

/** Two merchants that have the same ids, each with a failed charge under `m1` and its invoice closed. */
async function reportedByTwo() {
  const world = await engineWorld();
  const other = await world.addMerchant();
  for (const { merchantId } of [world, other]) {
    await submitBy({ ...world, merchantId }, 'merchant', failedEvent({ invoiceId: 'm1' }));
    await world.settle();
    await world.rows(`insert into closed_invoices values ($1, 'm1', 'voided', $2)`, [
      merchantId,
      worldStart,
    ]);
  }
  return { world, other: other.merchantId };
}

/** Under which ids a merchant's charges, their places in histories of cards, and what is over stand. */
async function namesOf(world: EngineWorld, merchantId: string) {
  const of = (text: string) => world.rows(text, [merchantId]);
  return {
    transactions: await of('select invoice_id from transactions where merchant_id = $1'),
    attempts: await of('select invoice_id, charge_ref from card_attempts where merchant_id = $1'),
    closed: await of(
      'select invoice_id from closed_invoices where merchant_id = $1 order by closed_at, invoice_id',
    ),
  };
}

it('what was reported under another id of a debt goes to the debt', async () => {
  const { world } = await reportedByTwo();
  const { merchantId } = world;
  await moveHistory(world.db, [{ merchantId, invoiceId: 'in_1', reportedAs: 'm1' }]);
  expect(await namesOf(world, merchantId)).toEqual({
    transactions: [{ invoice_id: 'in_1' }],
    attempts: [{ invoice_id: 'in_1', charge_ref: 'in_1/ch_failed_m1_1' }],
    closed: [{ invoice_id: 'in_1' }, { invoice_id: 'm1' }],
  });
});

it('of a charge that both have, the debt’s own stays, unless the other one succeeded', async () => {
  const world = await engineWorld();
  const { merchantId } = world;
  for (const invoiceId of ['in_1', 'm1', 'm2']) {
    await submitBy(
      world,
      'merchant',
      failedCharge({ invoiceId, charge: 'word', customerId: invoiceId }),
    );
  }
  await world.settle();
  const into = { merchantId, invoiceId: 'in_1' };
  const kept = () => world.rows('select transaction_id, success from transactions order by 1');
  await moveHistory(world.db, [{ ...into, reportedAs: 'm1' }]);
  expect(await kept()).toEqual([
    { transaction_id: 'txn_in_1_1', success: false },
    { transaction_id: 'txn_m2_1', success: false },
  ]);
  await world.rows(`update transactions set success = true where invoice_id = 'm2'`);
  await moveHistory(world.db, [{ ...into, reportedAs: 'm2' }]);
  expect(await kept()).toEqual([{ transaction_id: 'txn_m2_1', success: true }]);
});

it('another merchant keeps what it reported under the same ids', async () => {
  const { world, other } = await reportedByTwo();
  const before = await namesOf(world, other);
  const { merchantId } = world;
  await moveHistory(world.db, [{ merchantId, invoiceId: 'in_1', reportedAs: 'm1' }]);
  expect(before.attempts).toEqual([{ invoice_id: 'm1', charge_ref: 'm1/ch_failed_m1_1' }]);
  expect(await namesOf(world, other)).toEqual(before);
});

it('a debt is not over by what another merchant says of the same id', async () => {
  const world = await engineWorld();
  const { merchantId: other } = await world.addMerchant();
  await world.rows(`insert into closed_invoices values ($1, 'm1', 'voided', $2)`, [
    other,
    worldStart,
  ]);
  const { merchantId } = world;
  await moveHistory(world.db, [{ merchantId, invoiceId: 'in_1', reportedAs: 'm1' }]);
  expect((await namesOf(world, merchantId)).closed).toEqual([]);
});
