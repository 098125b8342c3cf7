import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import { openIncident } from '../../../src/store/incidents/open-incident.ts';
import { listOperatorDeliveries } from '../../../src/store/reports/operator-deliveries.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { openMerchantDatabases } from '../../../src/store/wall/merchant-databases.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';
import {
  archiveAll,
  breaches,
  counts,
  endedWorld,
  firstEvent,
  later,
  redeliver,
  shown,
} from './archived-world.ts';

const engineWorld = useEngineWorld();

it('a payment in the archive comes back whole when a webhook of it is sent again', async () => {
  const world = await endedWorld(engineWorld);
  const eventId = await firstEvent(world);
  const event = (await world.events()).find((item) => item.eventId === eventId);
  const before = await shown(world, 'in_recovered');
  await archiveAll(world);
  const sentBefore = world.server.webhooks.length;
  expect(await redeliver(world, eventId)).toEqual({ kind: 'queued' });
  await world.settle();
  expect(world.server.webhooks.slice(sentBefore).map((call) => call.json)).toEqual([event?.body]);
  const after = await shown(world, 'in_recovered');
  expect({ ...after.view, deliveries: [] }).toEqual({ ...before.view, deliveries: [] });
  expect(after.view.deliveries.map(({ tries }) => tries)).toEqual([2, 1, 1]);
  expect(await counts(world)).toMatchObject({ archived: 1 });
});

it('a payment stays in the archive when what is asked for was never sent to the endpoint', async () => {
  const world = await endedWorld(engineWorld);
  const eventTo = async (type: string) =>
    (await world.payment('in_recovered')).deliveries.find((item) => item.type === type)?.eventId ??
    'none';
  const [told, notTold] = [await eventTo('retry_result'), await eventTo('end_of_dunning')];
  await archiveAll(world);
  const before = await counts(world);
  const { merchantId } = world;
  const redeliverTo = (endpointId: string, eventId: string) =>
    world.db.transaction((tx) =>
      redeliverEvent(tx, { merchantId, eventId, endpointId, at: world.clock.now() }),
    );
  expect(await redeliverTo('ept_test_1', notTold)).toEqual({ kind: 'not_found' });
  expect(await redeliverTo('ept_none', told)).toEqual({ kind: 'not_found' });
  expect(await counts(world)).toEqual(before);
  expect(await redeliverTo('ept_test_1', told)).toEqual({ kind: 'queued' });
  expect(await counts(world)).toMatchObject({ archived: 1 });
});

it('a payment that comes back changes no row of another one', async () => {
  const world = await endedWorld(engineWorld);
  const eventId = await firstEvent(world);
  await archiveAll(world);
  const others = () =>
    world.rows<{ of: string }>(
      `select 'charge' as of, attempt_id || '/' || ordinal as id, xmin::text from psp_transactions where invoice_id <> 'in_recovered'
       union all
       select 'attempt', attempt_id, xmin::text from attempts where invoice_id <> 'in_recovered'
       union all
       select 'payment', invoice_id, xmin::text from payments where invoice_id <> 'in_recovered'
       order by 1, 2`,
    );
  const before = await others();
  expect(before.filter((row) => row.of === 'charge').length).toBeGreaterThan(1);
  expect(await redeliver(world, eventId)).toEqual({ kind: 'queued' });
  expect(await others()).toEqual(before);
});

it('a payment in the archive comes back for its merchant behind the wall, and for no other', async () => {
  const world = await endedWorld(engineWorld);
  const eventId = await firstEvent(world);
  await archiveAll(world);
  const other = await world.addMerchant();
  const walled = openMerchantDatabases(
    { log: { warn() {} } },
    { connectionString: world.connectionString, poolSize: 2, perSender: 2 },
  );
  try {
    const redeliverAs = (of: string, merchantId: string) =>
      walled.of(of).transaction((tx) => redeliverEvent(tx, { merchantId, eventId, at: later }));
    const { merchantId } = world;
    expect(await redeliverAs(other.merchantId, merchantId)).toEqual({ kind: 'not_found' });
    expect(await redeliverAs(merchantId, merchantId)).toEqual({ kind: 'queued' });
    expect(await counts(world)).toMatchObject({ archived: 1 });
  } finally {
    await walled.close();
  }
});

/** What comes of it that a PSP says of late that the first charge of an invoice succeeded. */
const toldOfLate = async (
  world: EngineWorld,
  options: { readonly archived: boolean; readonly state: string },
) => {
  if (options.archived) await archiveAll(world);
  const [charge] = await world.rows<{ key: string }>(
    `select idempotency_key as key from psp_transactions
     where invoice_id = 'in_exhausted' and state = $1 order by sent_at limit 1`,
    [options.state],
  );
  const taken = await takeAnswer(world.deps, {
    merchantId: world.merchantId,
    idempotencyKey: charge?.key ?? 'none',
    result: { kind: 'succeeded', pspTransactionId: 'ch_late' },
  });
  await world.settle();
  const view = await world.payment('in_exhausted');
  const outcome = {
    taken,
    status: view.status,
    attempts: view.attempts.map(({ number, status, decision, check }) => ({
      ...{ number, status },
      ...{ hasDecision: decision !== undefined, hasCheck: check !== undefined },
    })),
    webhooks: view.deliveries.map(({ type, status }) => [type, status]),
    incidents: (await world.rows('select 1 from incidents')).length,
    broken: (await breaches(world)).map(({ name, breaches }) => [name, breaches]),
    archived: (await counts(world))?.archived,
  };
  await world.close();
  return outcome;
};

it('a payment in the archive comes back when its PSP says of late that a declined charge of it succeeded', async () => {
  const live = await toldOfLate(await endedWorld(engineWorld), {
    archived: false,
    state: 'declined',
  });
  expect(live).toMatchObject({ taken: 'incident', incidents: 1, archived: 0 });
  const archived = await toldOfLate(await endedWorld(engineWorld), {
    archived: true,
    state: 'declined',
  });
  expect(archived).toEqual({ ...live, archived: 1 });
});

it.each([
  ['its only charge', ['pm_sandbox_success']],
  [
    'the last charge of an attempt that was told of',
    ['pm_sandbox_decline_51', 'pm_sandbox_success'],
  ],
])(
  'a payment in the archive comes back when %s was made after all',
  async (_, methods) => {
    const never = async () => {
      const world = await engineWorld({ endOfDunning: true });
      const worker = world.worker((deps) =>
        changedGateways(deps, (gateway) => ({
          charge: async (request) =>
            request.paymentMethodId === 'pm_sandbox_success'
              ? { kind: 'not_made', reason: 'taken for never made' }
              : gateway.charge(request),
        })),
      );
      await world.submit(failedEvent({ invoiceId: 'in_exhausted', methods }));
      await world.runUntil(addMs(worldStart, dayMs), worker);
      await world.stop('in_exhausted', { waits: false });
      await world.runUntil(addMs(worldStart, 40 * dayMs), worker);
      return world;
    };
    const live = await toldOfLate(await never(), { archived: false, state: 'not_made' });
    expect(live).toMatchObject({ status: 'recovered', broken: [] });
    expect(await toldOfLate(await never(), { archived: true, state: 'not_made' })).toEqual(live);
  },
  60_000,
);

it('a payment in the archive says nothing new to an answer that it knows, and stays', async () => {
  const world = await endedWorld(engineWorld);
  await archiveAll(world);
  const [charge] = await world
    .ledger('in_recovered')
    .then((all) => all.filter(({ status }) => status === 'succeeded'));
  const [row] = await world.rows<{ key: string }>(
    `select idempotency_key as key from psp_transactions where invoice_id = 'in_recovered' and state = 'succeeded'`,
  );
  const answer = {
    merchantId: world.merchantId,
    idempotencyKey: row?.key ?? 'none',
    result: { kind: 'succeeded', pspTransactionId: charge?.id ?? 'none' },
  } as const;
  expect(await takeAnswer(world.deps, answer)).toBe('says_nothing_new');
  expect(await counts(world)).toMatchObject({ archived: 2 });
});

it('a payment in the archive tells of an incident beside the webhooks that are packed', async () => {
  const world = await endedWorld(engineWorld);
  await world.rows('update merchants set incident_events = true');
  await archiveAll(world);
  const { merchantId } = world;
  const incident: Parameters<typeof openIncident>[2] = {
    merchantId,
    invoiceId: 'in_recovered',
    kind: 'two_successes',
    subject: 's',
    psp: 'sandbox',
    charge: 'k',
    detail: 'd',
    at: world.clock.now(),
  };
  await world.db.transaction((tx) => openIncident(world.deps, tx, incident));
  await world.settle();
  const { deliveries, custom } = await world.payment('in_recovered');
  expect(deliveries.map(({ type, status }) => [type, status])).toEqual([
    ['retry_result', 'delivered'],
    ['retry_result', 'delivered'],
    ['end_of_dunning', 'delivered'],
    ['incident', 'delivered'],
  ]);
  expect(world.server.webhooks.at(-1)?.json).toMatchObject({ custom });
  const list = { merchantId, invoiceId: 'in_recovered', limit: 10 };
  expect((await listOperatorDeliveries(world.db, list)).items).toHaveLength(4);
});
