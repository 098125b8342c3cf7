import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import type { PspCapabilities } from '../../../../src/recovery/psp-ports.ts';
import { cardsOf, failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { changedGateways } from '../../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const end = addMs(worldStart, 40 * dayMs);
const invoices = Array.from({ length: 50 }, (_, index) => `in_${index}`);
const methods = ['pm_sandbox_decline_51', 'pm_sandbox_success'];

const lost = ['payments', 'attempts', 'psp_transactions', 'card_attempts', 'cards', 'network_fees'];
const later = ['delivery_tries', 'deliveries', 'events', 'event_counters'];

/** The tables as a backup has them, put back over what came after it. On Citus no cell takes other tables in. */
async function backupOf(world: EngineWorld) {
  for (const table of lost) {
    await world.rows(`drop table if exists public.backup_${table}`);
    await world.rows(`create table public.backup_${table} as table ${table}`);
  }
  return async () => {
    for (const table of [...later, ...lost.toReversed()]) await world.rows(`delete from ${table}`);
    for (const table of lost) {
      await world.rows(`insert into ${table} select * from public.backup_${table}`);
      await world.rows(`drop table public.backup_${table}`);
    }
  };
}

/** Fifty payments whose first try is due, with a backup from before it. */
async function dueWorld() {
  const world = await engineWorld();
  for (const invoiceId of invoices) {
    await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId, methods) }));
  }
  await world.settle();
  world.clock.set(firstTry);
  return { world, restore: await backupOf(world) };
}

async function expectEachOnce(world: EngineWorld): Promise<void> {
  const paid = (await world.ledger()).filter((charge) => charge.status === 'succeeded');
  expect(paid).toHaveLength(invoices.length);
  expect(new Set(paid.map((charge) => charge.invoice)).size).toBe(invoices.length);
  const states = await world.rows('select distinct state from payments');
  expect(states).toEqual([{ state: 'recovered' }]);
  // Totals are kept by what is written; rows that a test puts back by hand are none of it.
  const faults = (await world.faults()).filter((fault) => !fault.startsWith('totals_are_kept'));
  expect(faults).toEqual([]);
}

it('a backup from before fifty charges is restored: none is charged a second time', async () => {
  const { world, restore } = await dueWorld();
  await world.runUntil(end);
  expect(await world.faults()).toEqual([]);
  const charges = (await world.ledger()).length;
  await restore();
  world.clock.set(firstTry);
  await world.runUntil(end);
  await expectEachOnce(world);
  expect(await world.ledger()).toHaveLength(charges);
});

/** A worker at a PSP that takes the money again where a key is sent a second time. */
function forgetfulWorker(world: EngineWorld, onLookUp: () => void = () => undefined) {
  const chargedTwice: string[] = [];
  const worker = world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      capabilities: { ...gateway.capabilities, keyMemoryMs: 0 } satisfies PspCapabilities,
      async charge(request) {
        const known = (await world.ledger()).filter(
          (charge) => charge.idempotency_key === request.idempotencyKey,
        );
        if (known.length > 0) chargedTwice.push(request.idempotencyKey);
        return gateway.charge(request);
      },
      async lookUp(request) {
        onLookUp();
        return gateway.lookUp(request);
      },
    })),
  );
  return { worker, chargedTwice };
}

it('at a PSP without memory of keys, what may have been charged is asked for first', async () => {
  const { world, restore } = await dueWorld();
  let looks = 0;
  const { worker: forgetful, chargedTwice } = forgetfulWorker(world, () => {
    looks += 1;
  });
  await world.runUntil(end, forgetful);
  expect(looks).toBe(0);
  await restore();
  await world.rows('update payments set charge_may_exist = true');
  world.clock.set(firstTry);
  await world.runUntil(end, forgetful);
  expect(looks).toBe(2 * invoices.length);
  await expectEachOnce(world);
  expect(chargedTwice).toEqual([]);
  expect(forgetful.failures).toEqual([]);
});

it('a debt that the backup does not hold is asked for first when it is reported again', async () => {
  const world = await engineWorld();
  const { worker: forgetful, chargedTwice } = forgetfulWorker(world);
  const methods = cardsOf('in_0', ['pm_sandbox_success']);
  const report = failedEvent({ invoiceId: 'in_0', methods });
  const restore = await backupOf(world);
  await world.submit(report);
  await world.settle();
  world.clock.set(firstTry);
  await world.runUntil(end, forgetful);
  expect(await world.ledger()).toHaveLength(1);
  for (const table of ['debt_identities', 'transactions']) await world.rows(`delete from ${table}`);
  await restore();
  world.clock.set(firstTry);
  const at = firstTry.toISOString();
  await world.rows(
    `insert into restore_checks (restored_from, state, started_at, ended_at)
     values ('${worldStart.toISOString()}', 'done', '${at}', '${at}')`,
  );
  await world.submit(report);
  await world.runUntil(end, forgetful);
  expect(forgetful.failures).toEqual([]);
  expect(chargedTwice).toEqual([]);
  expect(await world.rows('select state from payments')).toEqual([{ state: 'recovered' }]);
});

it('what was charged under another name of a debt is asked for, where the names are one only since the restore', async () => {
  const world = await engineWorld();
  const { worker: forgetful, chargedTwice } = forgetfulWorker(world);
  const [card] = cardsOf('in_0', ['pm_sandbox_success']);
  for (const invoiceId of ['in_0', 'in_1']) {
    const methods = card === undefined ? [] : [card];
    await world.submit(failedEvent({ invoiceId, methods }));
  }
  await world.settle();
  const restore = await backupOf(world);
  await world.rows(`delete from payments where invoice_id = 'in_1'`);
  world.clock.set(firstTry);
  await world.runUntil(end, forgetful);
  expect((await world.ledger()).map(({ invoice }) => invoice)).toEqual(['in_0']);

  await restore();
  await world.rows('update payments set charge_may_exist = true');
  await world.rows(`update payments set joined_to = 'in_1' where invoice_id = 'in_0'`);
  world.clock.set(firstTry);
  await world.runUntil(end, forgetful);
  expect(forgetful.failures).toEqual([]);
  expect(chargedTwice).toEqual([]);
  expect((await world.ledger()).map(({ invoice }) => invoice)).toEqual(['in_0']);
  expect(await world.rows('select invoice_id, state from payments order by invoice_id')).toEqual([
    { invoice_id: 'in_0', state: 'stopped' },
    { invoice_id: 'in_1', state: 'recovered' },
  ]);
});
