import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { archivePayments } from '../../../src/store/archive/archive-payments.ts';
import { readPaymentStory } from '../../../src/store/reports/payment-story.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { listPayments } from '../../../src/store/views/payment-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { checkEverything } from '../../kits/check-everything.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();
const later = addMs(worldStart, 500 * dayMs);

/** One that is recovered, one that is given up, and one that is open still. */
async function endedWorld(): Promise<EngineWorld> {
  const world = await engineWorld({ endOfDunning: true });
  await world.addEndpoint({ eventTypes: ['retry_result'] });
  const methods = ['pm_sandbox_decline_51', 'pm_sandbox_success_after_4'];
  const custom = { plan: 'gold', nothing: null, exact: '1.10' };
  await world.submit(failedEvent({ invoiceId: 'in_recovered', methods, custom }));
  await world.submit(
    failedEvent({ invoiceId: 'in_exhausted', methods: ['pm_sandbox_decline_51'] }),
  );
  await world.runUntil(addMs(worldStart, 40 * dayMs));
  await world.submit(failedEvent({ invoiceId: 'in_open', at: addMs(worldStart, 40 * dayMs) }));
  await world.settle();
  return world;
}

const archiveAll = async (world: EngineWorld): Promise<number> => {
  let looked = 0;
  for (;;) {
    const step = await archivePayments(world.db, { before: later, at: world.clock.now() });
    if (step === 0) return looked;
    looked += step;
  }
};

const shown = async (world: EngineWorld, invoiceId: string) => ({
  view: await world.payment(invoiceId),
  story: await readPaymentStory(world.db, { merchantId: world.merchantId, invoiceId }),
});

const counts = async (world: EngineWorld) => {
  const [row] = await world.rows(
    `select (select count(*)::int from archived_payments) as archived,
            (select count(*)::int from events) as events,
            (select count(*)::int from deliveries) as deliveries,
            (select count(*)::int from endpoint_deliveries) as endpoint_deliveries`,
  );
  return row;
};

const breaches = async (world: EngineWorld) =>
  (await checkEverything(world.db, addMs(world.clock.now(), 3 * dayMs))).filter(
    (view) => view.breaches > 0,
  );

describe('a payment in the archive', () => {
  it('is shown as before, by itself and in lists', async () => {
    const world = await endedWorld();
    const list = () => listPayments(world.db, { merchantId: world.merchantId, limit: 10 });
    const before = {
      recovered: await shown(world, 'in_recovered'),
      exhausted: await shown(world, 'in_exhausted'),
      list: await list(),
    };
    expect(await archiveAll(world)).toBe(3);
    expect(await counts(world)).toMatchObject({
      archived: 2,
      events: 0,
      deliveries: 0,
      endpoint_deliveries: 0,
    });
    expect({
      recovered: await shown(world, 'in_recovered'),
      exhausted: await shown(world, 'in_exhausted'),
      list: await list(),
    }).toEqual(before);
  });

  it('keeps every promise and every total', async () => {
    const world = await endedWorld();
    expect(await breaches(world)).toEqual([]);
    await archiveAll(world);
    expect(await breaches(world)).toEqual([]);
    const [total] = await world.rows('select count(*)::int as n from control_entries');
    expect(total).toEqual({ n: 0 });
  });

  it('comes back whole when a webhook of it is sent again', async () => {
    const world = await endedWorld();
    const events = await world.events();
    const before = await shown(world, 'in_recovered');
    const [event] = before.view.deliveries;
    await archiveAll(world);
    const sentBefore = world.server.webhooks.length;
    const input = {
      merchantId: world.merchantId,
      eventId: event?.eventId ?? '',
      at: world.clock.now(),
    };
    expect(await world.db.transaction((tx) => redeliverEvent(tx, input))).toEqual({
      kind: 'queued',
    });
    await world.settle();
    expect(world.server.webhooks.length).toBe(sentBefore + 1);
    const of = events.find(({ eventId }) => eventId === event?.eventId);
    expect(world.server.webhooks.at(-1)?.json).toEqual(of?.body);
    const after = await shown(world, 'in_recovered');
    expect({ ...after.view, deliveries: [] }).toEqual({ ...before.view, deliveries: [] });
    expect(after.story).toMatchObject({ firstDecline: before.story?.firstDecline });
    expect(await counts(world)).toMatchObject({ archived: 1 });
    expect(await breaches(world)).toEqual([]);
  });
});
