import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { createReplayStore } from '../../../src/store/replays/replay-store.ts';
import {
  findOperatorDelivery,
  listOperatorDeliveries,
} from '../../../src/store/reports/operator-deliveries.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import {
  archiveAll,
  archiveBefore,
  breaches,
  counts,
  endedWorld,
  redeliver,
  shown,
} from './archived-world.ts';

const engineWorld = useEngineWorld();
const invoiceId = 'in_recovered';

/** An archived payment of which an incident was found since: its webhook and one of a further endpoint went out. */
async function toldOfArchived(): Promise<EngineWorld> {
  const world = await endedWorld(engineWorld);
  await world.addEndpoint({ eventTypes: ['incident'] });
  await world.rows('update merchants set incident_events = true');
  await world.runUntil(addMs(world.clock.now(), 40 * dayMs));
  await archiveAll(world);
  world.clock.set(addMs(world.clock.now(), dayMs));
  await store(world).open({
    ...{ merchantId: world.merchantId, invoiceId, kind: 'amount_differs', subject: 's' },
    ...{ psp: 'sandbox', charge: 'k', detail: 'd', at: world.clock.now() },
  });
  await world.settle();
  return world;
}

const store = ({ db, deps }: EngineWorld) => createIncidentStore({ db, random: deps.random });

async function dismiss(world: EngineWorld): Promise<void> {
  const [opened] = await world.rows<{ id: string }>('select incident_id as id from incidents');
  const at = world.clock.now();
  const ids = { merchantId: world.merchantId, incidentId: opened?.id ?? 'none', failedRefunds: 0 };
  const audit = { action: 'incident.dismissed', detail: {}, at };
  const move = { from: 'open', to: 'dismissed', resolution: 'It was one charge.' } as const;
  expect(await store(world).move({ ...ids, ...move, at, audit })).toBe('moved');
}

const incidentEvent = async (world: EngineWorld): Promise<string> => {
  const [row] = await world.rows<{ id: string }>(
    `select event_id as id from events where type = 'incident'`,
  );
  return row?.id ?? 'none';
};

/** Everything of it that is read by its id, or the id of its webhook. */
async function reads(world: EngineWorld, eventId: string) {
  const { db, merchantId } = world;
  const one = { merchantId, eventId };
  const endpointId = 'ept_test_2';
  const list = { merchantId, invoiceId, limit: 100 };
  return {
    ...(await shown(world, invoiceId)),
    own: await findOperatorDelivery(db, one),
    further: await findOperatorDelivery(db, { ...one, endpointId }),
    listed: await listOperatorDeliveries(db, list),
    listedFurther: await listOperatorDeliveries(db, { ...list, endpointId }),
  };
}

/** A run of the job as of so many days after now. */
async function archiveAfter(world: EngineWorld, days: number): Promise<void> {
  world.clock.set(addMs(world.clock.now(), days * dayMs));
  await archiveBefore(world, addMs(world.clock.now(), -100 * dayMs));
}

const none = { events: 0, deliveries: 0, endpoint_deliveries: 0 };
const told = { archived: 3, events: 1, deliveries: 1, endpoint_deliveries: 1 };

it('the archive takes along the webhook of an incident that was found after its payment was archived', async () => {
  const world = await toldOfArchived();
  await dismiss(world);
  const eventId = await incidentEvent(world);
  const before = await reads(world, eventId);
  expect(before).toMatchObject({
    own: { delivery: { eventId } },
    further: { delivery: { eventId } },
  });
  await archiveAfter(world, 99);
  expect(await counts(world)).toMatchObject(told);
  await archiveAfter(world, 2);
  expect(await counts(world)).toMatchObject({ archived: 3, ...none });
  expect(await reads(world, eventId)).toEqual(before);
  expect(await breaches(world)).toEqual([]);
});

it('the archive leaves it as long as nobody has decided about the incident', async () => {
  const world = await toldOfArchived();
  await archiveAfter(world, 101);
  expect(await counts(world)).toMatchObject(told);
  await dismiss(world);
  await archiveAfter(world, 101);
  expect(await counts(world)).toMatchObject({ archived: 3, ...none });
});

it('the archive leaves it while it is on its way to a further endpoint, and takes it after as long a rest', async () => {
  const world = await toldOfArchived();
  await dismiss(world);
  const eventId = await incidentEvent(world);
  await world.rows(
    `update endpoint_deliveries set state = 'pending', next_attempt_at = 'infinity', delivered_at = null`,
  );
  const before = await reads(world, eventId);
  await archiveAfter(world, 101);
  expect(await counts(world)).toMatchObject(told);
  expect(await reads(world, eventId)).toEqual(before);
  await world.rows(`update endpoint_deliveries set state = 'exhausted', next_attempt_at = null`);
  await archiveAfter(world, 99);
  expect(await counts(world)).toMatchObject(told);
  await archiveAfter(world, 2);
  expect(await counts(world)).toMatchObject({ archived: 3, ...none });
});

it('a payment whose incident is resolved goes into the archive again after a webhook of it was sent again', async () => {
  const world = await toldOfArchived();
  await dismiss(world);
  const eventId = await incidentEvent(world);
  await archiveAfter(world, 101);
  const sent = () => world.server.webhooks.filter(({ type }) => type === 'incident').length;
  expect(sent()).toBe(1);
  expect(await redeliver(world, eventId)).toEqual({ kind: 'queued' });
  await world.settle();
  expect(sent()).toBe(2);
  const before = await reads(world, eventId);
  expect(await counts(world)).toMatchObject({ archived: 2 });
  await archiveAfter(world, 101);
  expect(await counts(world)).toMatchObject({ archived: 3, ...none });
  expect(await reads(world, eventId)).toEqual(before);
  expect(await breaches(world)).toEqual([]);
});

it('a replay that sent it counts it once it is in the archive', async () => {
  const world = await toldOfArchived();
  await dismiss(world);
  const { merchantId } = world;
  const replays = createReplayStore(world.db);
  const at = world.clock.now();
  const replayId = 'rpl_later';
  const scope = {
    merchantId,
    status: 'any' as const,
    from: addMs(at, -dayMs),
    until: addMs(at, 1),
  };
  const audit = { action: 'deliveries.replayed', detail: { replay_id: replayId }, at };
  await replays.begin({ replayId, scope, at, audit });
  while (!(await replays.step({ merchantId, at, limit: 100 })).isOver);
  await world.settle();
  const before = (await replays.list({ merchantId, limit: 10 })).items;
  expect(before).toMatchObject([{ replayId, queued: 1, delivered: 1, superseded: 0 }]);
  await archiveAfter(world, 101);
  expect(await counts(world)).toMatchObject({ archived: 3, ...none });
  expect((await replays.list({ merchantId, limit: 10 })).items).toEqual(before);
});

it('the archive takes it after a move to another cell that its turn fell into was taken back', async () => {
  const world = await toldOfArchived();
  await dismiss(world);
  await world.rows(
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
     values ($1, 'mov_1', 'draining', 'b', 'http://b', 'http://b', now())`,
    [world.merchantId],
  );
  await archiveAfter(world, 101);
  expect(await counts(world)).toMatchObject(told);
  await world.rows('delete from merchant_moves');
  await archiveAfter(world, 0);
  expect(await counts(world)).toMatchObject({ archived: 3, ...none });
});
