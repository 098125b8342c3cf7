import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { mergeDebts } from '../../../src/store/debts/merge-debts.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { failedEvent, paidEvent } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { archiveAll, breaches, counts, endedWorld, redeliver, shown } from './archived-world.ts';

const engineWorld = useEngineWorld();

const invoices = ['in_recovered', 'in_exhausted', 'in_open'];

/** A further charge of the invoice that failed. */
function reportedAgain(world: EngineWorld, invoiceId: string) {
  const event = failedEvent({ invoiceId, at: world.clock.now(), methods: ['pm_new'] });
  const ids = { id: 'txn_again', psp_transaction_id: 'ch_again' };
  return { ...event, transactions: event.transactions.map((item) => ({ ...item, ...ids })) };
}

/** Its answer is a new id each time. */
async function submit(world: EngineWorld, event: PaymentEventBody): Promise<void> {
  await world.submit(event);
}

const merge = (world: EngineWorld, invoiceIds: readonly string[]) =>
  world.db.transaction((tx) =>
    mergeDebts(tx, { merchantId: world.merchantId, invoiceIds, at: world.clock.now() }),
  );

async function openAndDismiss(world: EngineWorld): Promise<unknown> {
  const { merchantId, clock, db, deps } = world;
  await world.rows('update merchants set incident_events = true');
  const store = createIncidentStore({ db, random: deps.random });
  const at = clock.now();
  await store.open({
    ...{
      merchantId,
      invoiceId: 'in_recovered',
      kind: 'two_successes',
      subject: 's',
      psp: 'sandbox',
    },
    ...{ charge: 'k', detail: 'd', at },
  });
  const [opened] = await world.rows<{ id: string }>('select incident_id as id from incidents');
  const audit = { action: 'incident.dismissed', detail: {}, at };
  const moved = { from: 'open', to: 'dismissed', resolution: 'It was one charge.' } as const;
  const incident = { merchantId, incidentId: opened?.id ?? 'none', failedRefunds: 0 };
  return store.move({ ...incident, ...moved, at, audit });
}

/** What became of all invoices of the world, without what is drawn anew in each. */
async function outcome(world: EngineWorld): Promise<unknown> {
  const all = await Promise.all(invoices.map((id) => shown(world, id)));
  const text = JSON.stringify({
    all: all.map(({ view, story }) => ({
      view,
      // Of one moment they stand in the order of their ids.
      story: { ...story, sends: story?.sends.map((send) => JSON.stringify(send)).length },
    })),
    webhooks: world.server.webhooks.map(({ type }) => type).sort(),
    incidents: (await world.rows('select 1 from incidents')).length,
    charges: (await world.ledger()).length,
    failures: world.failures.map(String),
    broken: (await breaches(world)).map(({ name }) => name),
  });
  return JSON.parse(
    text
      .replaceAll(/\b(evt|att)_[a-z0-9]{20,}/g, '$1')
      .replaceAll(/"(networkTransactionId|pspTransactionId)":"[^"]*"/g, '"$1":""')
      .replaceAll(/T\d\d:\d\d:\d\d\.\d{3}Z/g, ''),
  );
}

it.each<[string, (world: EngineWorld) => Promise<unknown>]>([
  ['to stop a given-up one', (world) => world.stop('in_exhausted')],
  ['to stop a recovered one', (world) => world.stop('in_recovered')],
  ['to try a given-up one again', (world) => world.retry('in_exhausted')],
  [
    'a further failure of a given-up one',
    (world) => submit(world, reportedAgain(world, 'in_exhausted')),
  ],
  [
    'a further failure of a recovered one',
    (world) => submit(world, reportedAgain(world, 'in_recovered')),
  ],
  [
    'that a given-up one was paid',
    (world) => submit(world, paidEvent({ invoiceId: 'in_exhausted', at: world.clock.now() })),
  ],
  [
    'that a recovered one was paid once more',
    (world) => submit(world, paidEvent({ invoiceId: 'in_recovered', at: world.clock.now() })),
  ],
  [
    'a new method of its customer',
    async (world) => {
      await world.submitUpdate({
        customer_id: 'cus_1',
        payment_method_id: 'pm_sandbox_success--new',
        reason: 'user_added',
      });
    },
  ],
  [
    'that an open one is of the debt that was given up',
    (world) => merge(world, ['in_exhausted', 'in_open']),
  ],
  [
    'that an open one is of the debt that was recovered',
    (world) => merge(world, ['in_recovered', 'in_open']),
  ],
  ['that two of them are of one debt', (world) => merge(world, ['in_recovered', 'in_exhausted'])],
  ['an incident, which a person dismisses', openAndDismiss],
])('payments in the archive do as any other when told: %s', async (_, tell) => {
  const afterTold = async (prepare: (world: EngineWorld) => Promise<unknown>) => {
    const world = await endedWorld(engineWorld);
    await prepare(world);
    const answer = await tell(world);
    await world.runUntil(addMs(world.clock.now(), 12 * dayMs));
    const { archived } = (await counts(world)) ?? {};
    const became = await outcome(world);
    await world.close();
    return { archived, answer, became };
  };
  const live = await afterTold(async () => undefined);
  const archived = await afterTold(archiveAll);
  expect(archived.archived).toBe(2);
  expect({ ...archived, archived: 0 }).toEqual(live);
});

it('a payment in the archive whose webhooks are asked for from several places at once comes back once', async () => {
  const world = await endedWorld(engineWorld);
  const before = await shown(world, 'in_recovered');
  await archiveAll(world);
  const sent = world.server.webhooks.length;
  const { deliveries } = before.view;
  const asked = await Promise.all(
    [...deliveries, ...deliveries].map(({ eventId }) => redeliver(world, eventId)),
  );
  expect(new Set(asked.map(({ kind }) => kind))).toEqual(new Set(['queued']));
  await world.settle();
  expect(world.server.webhooks.length).toBe(sent + deliveries.length);
  const after = await shown(world, 'in_recovered');
  expect({ ...after.view, deliveries: [] }).toEqual({ ...before.view, deliveries: [] });
  expect(await counts(world)).toMatchObject({ archived: 1, events: deliveries.length });
  expect(await breaches(world)).toEqual([]);
});
