import { expect, it } from 'vitest';
import { findPayments } from '../../../src/store/reports/find-payments.ts';
import { findOperatorDelivery } from '../../../src/store/reports/operator-deliveries.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { archiveAll, counts, endedWorld, firstEvent, redeliver } from './archived-world.ts';

const engineWorld = useEngineWorld();

/** Invoices that the operator's search finds. */
async function found(world: EngineWorld, search: string): Promise<readonly string[]> {
  const deps = { db: world.db, hashEmail: async () => '' };
  const page = await findPayments(deps, { search, limit: 10 });
  return page.items.map((item) => item.invoiceId);
}

/** The same beginning, and another end. */
const mistyped = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;

it('a payment in the archive is found by twelve characters of a webhook’s id, or more', async () => {
  const world = await endedWorld(engineWorld);
  const eventId = await firstEvent(world);
  await archiveAll(world);
  expect(await found(world, eventId)).toEqual(['in_recovered']);
  for (const length of [12, 13, 20, 27]) {
    expect(await found(world, eventId.slice(0, length))).toEqual(['in_recovered']);
  }
  expect(await found(world, eventId.slice(0, 11))).toEqual([]);
});

it('a payment in the archive is not found by an id that only begins as one of its webhooks’', async () => {
  const world = await endedWorld(engineWorld);
  const eventId = mistyped(await firstEvent(world));
  await archiveAll(world);
  expect(await found(world, eventId)).toEqual([]);
  expect(await found(world, mistyped(eventId.slice(0, 13)))).toEqual([]);
  expect(await findOperatorDelivery(world.db, { merchantId: world.merchantId, eventId })).toBe(
    undefined,
  );
  expect(await redeliver(world, eventId)).toEqual({ kind: 'not_found' });
  expect(await counts(world)).toMatchObject({ archived: 2 });
});

it('a payment that was packed with numbers of whole ids is found by those', async () => {
  const world = await endedWorld(engineWorld);
  const eventId = await firstEvent(world);
  await archiveAll(world);
  await world.rows(
    `update archived_payments set ids = array[hashtextextended($1, 0)] where invoice_id = 'in_recovered'`,
    [eventId],
  );
  expect(await found(world, eventId)).toEqual(['in_recovered']);
  expect(await redeliver(world, eventId)).toEqual({ kind: 'queued' });
});

it('a packed row keeps one number for each of its webhooks', async () => {
  const world = await endedWorld(engineWorld);
  const { deliveries } = await world.payment('in_recovered');
  await archiveAll(world);
  const rows = await world.rows(
    `select cardinality(ids) as ids from archived_payments where invoice_id = 'in_recovered'`,
  );
  expect(rows).toEqual([{ ids: deliveries.length }]);
});
