import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../src/store/database.ts';
import { findDeliveries } from '../../../src/store/disputes/evidence/known-events.ts';
import {
  findOperatorDelivery,
  listOperatorDeliveries,
} from '../../../src/store/reports/operator-deliveries.ts';
import { readPaymentStory } from '../../../src/store/reports/payment-story.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { showPayment } from '../../../src/store/views/payment-views.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { archiveAll, counts, endedWorld, firstEvent, redeliver } from './archived-world.ts';

const engineWorld = useEngineWorld();

/** A database in which something happens once, just before the first statement of a name. */
function interrupted(db: Queryable, name: string, act: () => Promise<unknown>) {
  let isDue = true;
  return {
    query: async (statement, values) => {
      if (isDue && statement.name === name) {
        isDue = false;
        await act();
      }
      return db.query(statement, values);
    },
    happened: () => !isDue,
  } satisfies Queryable & { happened(): boolean };
}

type Read = (world: EngineWorld, db: Queryable) => Promise<unknown>;
const of = ({ merchantId }: EngineWorld) => ({ merchantId, invoiceId: 'in_recovered' });

/** What is shown of one payment, and the statement of it that finds nothing once the payment is packed. */
const readers: readonly (readonly [what: string, statement: string, read: Read])[] = [
  ['its page', 'show_deliveries', (world, db) => showPayment(db, of(world))],
  ['its timeline', 'story_sends', (world, db) => readPaymentStory(db, of(world))],
  [
    'its webhooks',
    'list_operator_deliveries_of_invoice',
    (world, db) => listOperatorDeliveries(db, { ...of(world), limit: 10 }),
  ],
  ['evidence of it', 'find_evidence_deliveries', (world, db) => findDeliveries(db, of(world))],
];

describe.each(readers)('a payment of which %s is read', (_, statement, read) => {
  it('in the moment in which it is packed is shown with its webhooks', async () => {
    const world = await endedWorld(engineWorld);
    const before = await read(world, world.db);
    const db = interrupted(world.db, statement, () => archiveAll(world));
    expect(await read(world, db)).toEqual(before);
    expect(db.happened()).toBe(true);
    expect(await counts(world)).toMatchObject({ archived: 2, events: 0 });
  });

  it('in the moment in which it is put back is shown once, as it is then', async () => {
    const world = await endedWorld(engineWorld);
    await archiveAll(world);
    const eventId = await firstEvent(world);
    const db = interrupted(world.db, `${statement}_unpacked`, async () => {
      await redeliver(world, eventId);
      await world.settle();
    });
    const shown = await read(world, db);
    expect(db.happened()).toBe(true);
    expect(await counts(world)).toMatchObject({ archived: 1 });
    expect(shown).toEqual(await read(world, world.db));
  });

  it('is read once where no archive has come to it', async () => {
    const world = await endedWorld(engineWorld);
    const names: string[] = [];
    const db: Queryable = {
      query: (asked, values) => {
        names.push(asked.name);
        return world.db.query(asked, values);
      },
    };
    await read(world, db);
    expect(names.filter((name) => name === 'find_archived_payment')).toHaveLength(1);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('a webhook that is asked for by its id while its payment is packed or put back is found', async () => {
  const world = await endedWorld(engineWorld);
  const key = { merchantId: world.merchantId, eventId: await firstEvent(world) };
  const before = await findOperatorDelivery(world.db, key);
  const packing = interrupted(world.db, 'find_operator_delivery', () => archiveAll(world));
  expect(await findOperatorDelivery(packing, key)).toEqual(before);
  const restoring = interrupted(world.db, 'find_payments_of_archived_id', () =>
    redeliver(world, key.eventId),
  );
  expect(await findOperatorDelivery(restoring, key)).toMatchObject({
    delivery: { eventId: key.eventId, status: 'pending' },
  });
  expect(packing.happened() && restoring.happened()).toBe(true);
});

it('a webhook is sent again also where another one puts its payment back just then', async () => {
  const world = await endedWorld(engineWorld);
  const key = { merchantId: world.merchantId, eventId: await firstEvent(world) };
  await archiveAll(world);
  const outcome = await world.db.transaction((tx) =>
    redeliverEvent(
      interrupted(tx, 'find_payments_of_archived_id', () => redeliver(world, key.eventId)),
      { ...key, at: world.clock.now() },
    ),
  );
  expect(outcome).toEqual({ kind: 'queued' });
});
