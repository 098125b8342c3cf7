import { expect, it } from 'vitest';
import { findEnded } from '../../../src/store/intake/find-ended.ts';
import { cardsOf, failedEvent, paidEvent } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { addChanges, newTransaction } from './add-changes.ts';

const engineWorld = useEngineWorld();

/** What its processor reported, and the merchant beside a success under the id `m1` where one is added. */
async function reportedByBoth(): Promise<EngineWorld> {
  const world = await engineWorld();
  await submitBy(world, 'psp', failedCharge({ charge: 'ch_1' }));
  await world.settle();
  const failed = { ...charge(world), pspTransactionId: 'ch_1', success: false };
  await addChanges(world, { transactions: [failed] });
  return world;
}

const charge = (world: EngineWorld) => ({ ...newTransaction(world, 'pm_1'), invoiceId: 'm1' });

const ended = (world: EngineWorld) =>
  findEnded(world.db, [{ merchantId: world.merchantId, invoiceId: 'in_1' }]);

it('a debt that its merchant reports as paid under another id has ended', async () => {
  const world = await reportedByBoth();
  await addChanges(world, { transactions: [charge(world)] });
  const { merchantId } = world;
  expect(await ended(world)).toEqual([
    { merchantId, invoiceId: 'in_1', reason: 'recovered_elsewhere' },
  ]);
});

it('it has not by what another merchant reports under the same id', async () => {
  const world = await reportedByBoth();
  const { merchantId } = await world.addMerchant();
  await addChanges(world, { transactions: [{ ...charge(world), merchantId }] });
  expect(await ended(world)).toEqual([]);
});

it('a debt has ended by what is told of another one that was joined to it', async () => {
  const world = await engineWorld();
  await world.submit(failedEvent({ invoiceId: 'in_1' }));
  await world.submit(failedEvent({ invoiceId: 'in_2', methods: cardsOf('in_2') }));
  await world.settle();
  await world.rows(`update payments set joined_to = 'in_1' where invoice_id = 'in_2'`);
  const { merchantId } = world;
  await addChanges(world, { transactions: [{ ...charge(world), invoiceId: 'in_2' }] });
  expect(await findEnded(world.db, [{ merchantId, invoiceId: 'in_2' }])).toEqual([
    { merchantId, invoiceId: 'in_1', reason: 'recovered_elsewhere' },
  ]);
});

it('a debt that has ended already does not end once more', async () => {
  const world = await reportedByBoth();
  await addChanges(world, { transactions: [charge(world)] });
  expect(await ended(world)).toHaveLength(1);
  await world.rows(
    `update payments set state = 'stopped', stop_reason = 'merchant_stop', due_action = null,
       next_attempt_at = null`,
  );
  expect(await ended(world)).toEqual([]);
});

it('each debt that a success names has ended, although the success stands in the history of one', async () => {
  const world = await engineWorld();
  const failed = failedCharge({ invoiceId: 'm1', charge: 'ch_2' });
  const paid = paidEvent({ invoiceId: 'm1' });
  await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
  await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_0' }));
  await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_2' }));
  await world.settle();
  const transactions = [...failed.transactions, ...paid.transactions];
  await submitBy(world, 'merchant', { ...paid, transactions });
  await world.settle();
  expect(await world.rows('select invoice_id, stop_reason from payments order by 1')).toEqual([
    { invoice_id: 'in_1', stop_reason: 'recovered_elsewhere' },
    { invoice_id: 'm1', stop_reason: 'recovered_elsewhere' },
  ]);
});
