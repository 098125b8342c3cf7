import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { archivePayments } from '../../../src/store/archive/archive-payments.ts';
import { readPaymentStory } from '../../../src/store/reports/payment-story.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { checkEverything } from '../../kits/check-everything.ts';
import type { EngineWorld, useEngineWorld } from '../../kits/engine.ts';

export const later = addMs(worldStart, 500 * dayMs);

/** One that is recovered, one that is given up, and one that is open still. */
export async function endedWorld(
  engineWorld: ReturnType<typeof useEngineWorld>,
): Promise<EngineWorld> {
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

/** One run of the job; how many payments it looked at. */
export const archiveBefore = async (world: EngineWorld, before: Date): Promise<number> => {
  let looked = 0;
  for (;;) {
    const step = await archivePayments(world.db, { before, at: world.clock.now() });
    if (step === 0) return looked;
    looked += step;
  }
};

export const archiveAll = (world: EngineWorld): Promise<number> => archiveBefore(world, later);

export const shown = async (world: EngineWorld, invoiceId: string) => ({
  view: await world.payment(invoiceId),
  story: await readPaymentStory(world.db, { merchantId: world.merchantId, invoiceId }),
});

export const counts = async (world: EngineWorld) => {
  const [row] = await world.rows<Record<string, number>>(
    `select (select count(*)::int from archived_payments) as archived,
            (select count(*)::int from events) as events,
            (select count(*)::int from deliveries) as deliveries,
            (select count(*)::int from endpoint_deliveries) as endpoint_deliveries`,
  );
  return row;
};

export const breaches = async (world: EngineWorld) =>
  (await checkEverything(world.db, addMs(world.clock.now(), 3 * dayMs))).filter(
    (view) => view.breaches > 0,
  );

export const redeliver = (world: EngineWorld, eventId: string) =>
  world.db.transaction((tx) =>
    redeliverEvent(tx, { merchantId: world.merchantId, eventId, at: world.clock.now() }),
  );

export const firstEvent = async (world: EngineWorld, invoiceId = 'in_recovered') =>
  (await world.payment(invoiceId)).deliveries[0]?.eventId ?? 'none';
