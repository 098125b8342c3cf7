import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { Outcome } from '../../../src/recovery/engine-ports.ts';
import { auditPayments } from '../../../src/store/engine/audit-payments.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

/** A planned payment, and the store of one action of an operator. */
async function action() {
  const world = await engineWorld();
  await world.submit(failedEvent());
  await world.settle();
  const audited = auditPayments(world.db, world.deps.payments, (written) => ({
    action: 'payment.stopped',
    detail: { invoice_id: written.invoiceId },
    at: written.at,
  }));
  return { world, audited, key: { merchantId: world.merchantId, invoiceId: 'in_1' } };
}

const lines = (world: EngineWorld) => world.rows('select action, detail, at from audit_log');
const line = { action: 'payment.stopped', detail: { invoice_id: 'in_1' }, at: worldStart };

it('a step of an action is written with its line, and none without it', async () => {
  const { world, audited, key } = await action();
  const payment = await world.deps.payments.load(key);
  const step: Outcome = {
    ...key,
    fence: payment?.fence ?? 0,
    revision: payment?.revision ?? 0,
    at: worldStart,
    payment: { state: 'stopped', stopReason: 'merchant_stop', attemptCount: 0, postponements: 0 },
    events: [],
    takeOver: true,
  };
  expect(await audited.record({ ...step, fence: step.fence - 1 })).toBe('lease_lost');
  expect(await lines(world)).toEqual([]);
  expect(await audited.record(step)).toBe('recorded');
  expect(await lines(world)).toEqual([line]);
  expect(await world.rows('select old_value, new_value from audit_log')).toEqual([
    {
      old_value: { status: 'scheduled', next_attempt_at: addMs(worldStart, dayMs).toISOString() },
      new_value: { status: 'stopped' },
    },
  ]);
});

it('a stop that is asked for again is one line, and one of nothing under way is none', async () => {
  const { world, audited, key } = await action();
  const stop = { ...key, reason: 'merchant_stop', at: worldStart } as const;
  expect(await audited.requestStop(stop)).toBeUndefined();
  expect(await lines(world)).toEqual([]);
  world.clock.set(addMs(worldStart, dayMs));
  await world.claimPayments();
  for (const _ of [1, 2]) {
    expect(await audited.requestStop(stop)).toEqual({ chargeInFlight: false });
    expect(await lines(world)).toEqual([line]);
  }
  expect(await world.rows('select stop_reason from payments')).toEqual([
    { stop_reason: 'merchant_stop' },
  ]);
});
