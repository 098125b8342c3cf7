import { expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { onDebt } from '../../../src/store/debts/find-debt.ts';
import { mergeDebts } from '../../../src/store/debts/merge-debts.ts';
import { cardsOf, worldStart } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { holdPayment, reportEach, waits } from '../../kits/waits-in-order.ts';

const engineWorld = useEngineWorld();

const merged = (world: EngineWorld, ...invoiceIds: string[]) =>
  world.db.transaction((tx) =>
    mergeDebts(tx, { merchantId: world.merchantId, invoiceIds, at: world.clock.now() }),
  );

/** Three debts, each with a plan, of which `in_0` has been joined to `in_2`. */
async function oneJoined(): Promise<EngineWorld> {
  const world = await reportEach(await engineWorld(), ['in_1', 'in_2', 'in_0']);
  await world.settle();
  await world.rows(`update payments set joined_to = 'in_2' where invoice_id = 'in_0'`);
  return world;
}

it('what had been joined to a debt is joined to the one that goes on', async () => {
  const world = await oneJoined();
  expect(await merged(world, 'in_1', 'in_2')).toBe('in_1');
  expect(await world.rows('select invoice_id, joined_to from payments order by 1')).toEqual([
    { invoice_id: 'in_0', joined_to: 'in_1' },
    { invoice_id: 'in_1', joined_to: null },
    { invoice_id: 'in_2', joined_to: 'in_1' },
  ]);
});

it('a debt that is shown to be one with what has been joined goes on with that one', async () => {
  const world = await reportEach(await engineWorld(), ['in_1', 'in_2', 'in_3']);
  await world.settle();
  expect(await merged(world, 'in_1', 'in_2')).toBe('in_1');
  expect(await merged(world, 'in_2', 'in_3')).toBe('in_1');
  const open = 'select invoice_id from payments where joined_to is null';
  expect(await world.rows(open)).toEqual([{ invoice_id: 'in_1' }]);
});

it('reports of one batch that join three debts in a chain leave one recovery', async () => {
  const world = await engineWorld();
  const tell = (invoiceId: string, charge: string) =>
    submitBy(world, 'merchant', failedCharge({ invoiceId, charge, subscriptionId: 'sub_1' }));
  for (const id of ['1', '2', '3']) await tell(`m${id}`, `ch_${id}`);
  await world.settle();
  await tell('m1', 'ch_2');
  await tell('m2', 'ch_3');
  await world.settle();
  const open = 'select invoice_id from payments where joined_to is null';
  expect(await world.rows(open)).toEqual([{ invoice_id: 'm1' }]);
});

it('what had been joined is held in its place among the others', async () => {
  const world = await oneJoined();
  const order = { first: holdPayment('in_0'), later: holdPayment('in_1', ' nowait') };
  expect(await waits(world, { ...order, work: () => merged(world, 'in_1', 'in_2') })).toBe('in_1');
});

it('one that waits is looked at now; one that an incident froze, when that is settled', async () => {
  const world = await reportEach(await engineWorld(), ['in_1', 'in_2', 'in_3']);
  await world.settle();
  await world.rows(
    `update payments set frozen_at = $1, next_attempt_at = null where invoice_id <> 'in_3'`,
    [worldStart],
  );
  world.clock.passMs(hourMs);
  expect(await merged(world, 'in_1', 'in_2', 'in_3')).toBe('in_1');
  const joined = `select invoice_id, due_action, next_attempt_at from payments
    where joined_to = 'in_1' order by 1`;
  expect(await world.rows(joined)).toEqual([
    { invoice_id: 'in_2', due_action: 'plan', next_attempt_at: null },
    { invoice_id: 'in_3', due_action: 'plan', next_attempt_at: world.clock.now() },
  ]);
});

it('what is done to a debt that is joined in that moment is done to the one that goes on', async () => {
  const world = await reportEach(await engineWorld(), ['in_1', 'in_2']);
  await world.settle();
  const { merchantId } = world;
  const done: string[] = [];
  const last = await onDebt(world.db, { merchantId, invoiceId: 'in_2' }, async ({ invoiceId }) => {
    done.push(invoiceId);
    if (invoiceId === 'in_2') await merged(world, 'in_1', 'in_2');
    return invoiceId;
  });
  expect({ done, last }).toEqual({ done: ['in_2', 'in_1'], last: 'in_1' });
});

it('a stop that was answered during an attempt holds for the debt that goes on', async () => {
  const world = await reportEach(await engineWorld(), ['in_1', 'in_2']);
  await world.settle();
  world.clock.set(addMs(worldStart, dayMs));
  const due = await world.claimPayments();
  expect(await world.stop('in_2', { waits: false })).toEqual({ kind: 'stopped' });
  expect(await merged(world, 'in_1', 'in_2')).toBe('in_1');
  for (const payment of due) await world.run(payment);
  await world.runUntil(addMs(worldStart, 30 * dayMs));
  expect(await world.ledger()).toEqual([]);
  expect(await world.rows('select invoice_id, stop_reason from payments order by 1')).toEqual([
    { invoice_id: 'in_1', stop_reason: 'merchant_stop' },
    { invoice_id: 'in_2', stop_reason: 'joined' },
  ]);
});

it('what the merchant told of one during its attempt goes to the debt that goes on', async () => {
  const world = await engineWorld();
  const failed = (invoiceId: string, charge: string) => {
    const methods = cardsOf(invoiceId, ['pm_sandbox_decline_51']);
    return failedCharge({ invoiceId, charge, methods });
  };
  for (const invoiceId of ['in_1', 'in_2']) {
    await submitBy(world, 'psp', failed(invoiceId, `ch_of_${invoiceId}`));
    await world.settle();
  }
  world.clock.set(addMs(worldStart, dayMs));
  const due = await world.claimPayments();
  await submitBy(world, 'merchant', failed('m2', 'ch_of_in_2'));
  await world.apply(await world.claimRequests());
  expect(await merged(world, 'in_1', 'in_2')).toBe('in_1');
  for (const payment of due) await world.run(payment);
  const before = world.server.lookups.length;
  await world.runUntil(addMs(worldStart, 30 * dayMs));
  const asked = world.server.lookups.slice(before).map((call) => call.invoiceId);
  expect(new Set(asked)).toEqual(new Set(['m2']));
  expect(
    await world.rows(
      'select invoice_id, payment_method_ids as methods from payments where joined_to is null',
    ),
  ).toEqual([
    {
      invoice_id: 'in_1',
      methods: ['in_1', 'in_2', 'm2'].flatMap((id) => cardsOf(id, ['pm_sandbox_decline_51'])),
    },
  ]);
});
