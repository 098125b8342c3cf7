import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import {
  archiveAll,
  archiveBefore,
  breaches,
  counts,
  endedWorld,
  firstEvent,
  redeliver,
  shown,
} from './archived-world.ts';

const engineWorld = useEngineWorld();

const daysOn = (world: EngineWorld, days: number): Date => addMs(world.clock.now(), days * dayMs);

/** The archive's run of a day on which payments are packed that have rested since `restedFor` days. */
async function runAfter(world: EngineWorld, days: number, restedFor: number): Promise<number> {
  world.clock.set(daysOn(world, days));
  return archiveBefore(world, daysOn(world, -restedFor));
}

it('a payment that was put back goes into the archive again once it has rested as long', async () => {
  const world = await endedWorld(engineWorld);
  await archiveAll(world);
  await redeliver(world, await firstEvent(world));
  await world.settle();
  const whole = await shown(world, 'in_recovered');
  expect(await runAfter(world, 99, 100)).toBe(0);
  expect(await counts(world)).toMatchObject({ archived: 1, events: 3 });
  expect(await runAfter(world, 2, 100)).toBe(1);
  expect(await counts(world)).toMatchObject({ archived: 2, events: 0, deliveries: 0 });
  expect(await shown(world, 'in_recovered')).toEqual(whole);
  expect(await breaches(world)).toEqual([]);
  expect(await runAfter(world, 100, 100)).toBe(0);
});

it('a webhook that is sent again arrives, and rests, before its payment is packed again', async () => {
  const world = await endedWorld(engineWorld);
  await archiveAll(world);
  const eventId = await firstEvent(world);
  await redeliver(world, eventId);
  const delivery = async () =>
    (
      await world.rows<{ state: string }>('select state from deliveries where event_id = $1', [
        eventId,
      ])
    )[0];
  expect(await runAfter(world, 101, 100)).toBe(1);
  expect(await delivery()).toEqual({ state: 'pending' });
  await world.settle();
  await runAfter(world, 99, 100);
  expect(await delivery()).toEqual({ state: 'delivered' });
  await runAfter(world, 2, 100);
  expect(await delivery()).toBeUndefined();
});

it('a payment that was put back and then changed rests from its change on', async () => {
  const world = await endedWorld(engineWorld);
  await archiveAll(world);
  await redeliver(world, await firstEvent(world));
  await world.settle();
  await world.rows(`update payments set updated_at = $1 where invoice_id = 'in_recovered'`, [
    daysOn(world, 50),
  ]);
  expect(await runAfter(world, 101, 100)).toBe(0);
  expect(await runAfter(world, 48, 100)).toBe(0);
  expect(await counts(world)).toMatchObject({ archived: 1 });
  await runAfter(world, 2, 100);
  expect(await counts(world)).toMatchObject({ archived: 2 });
});

it('a payment whose turn came while a webhook of it was on its way has another turn', async () => {
  const world = await endedWorld(engineWorld);
  const ofExhausted = `where event_id in (select event_id from events where invoice_id = 'in_exhausted')`;
  await world.rows(
    `update deliveries set state = 'pending', next_attempt_at = 'infinity' ${ofExhausted}`,
  );
  await runAfter(world, 200, 100);
  expect(await counts(world)).toMatchObject({ archived: 1 });
  expect(await runAfter(world, 99, 100)).toBe(0);
  await world.rows(
    `update deliveries set state = 'exhausted', next_attempt_at = null ${ofExhausted}`,
  );
  expect(await runAfter(world, 2, 100)).toBe(1);
  expect(await counts(world)).toMatchObject({ archived: 2 });
});

it('a run looks once at each payment that it leaves, whatever the time is that it is given', async () => {
  const world = await endedWorld(engineWorld);
  await archiveAll(world);
  await redeliver(world, await firstEvent(world));
  expect(await archiveAll(world)).toBe(1);
});
