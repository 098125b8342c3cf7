import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import { closeInvoice } from '../../../../src/recovery/intake/psp-events/close-invoice.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { expectSound } from '../../../kits/engine-faults.ts';
import { webhookWorld } from '../../../kits/psp-webhooks.ts';

const engineWorld = useEngineWorld();

const close = (world: EngineWorld, reason = 'voided at the PSP') =>
  closeInvoice(webhookWorld(world).deps, {
    merchantId: world.merchantId,
    psp: 'sandbox',
    connectionVersion: 1,
    event: { eventId: 'evt_1', type: 'test', occurredAt: worldStart },
    parsed: { kind: 'invoice_closed', invoiceId: 'in_1', reason },
  });

const closed = {
  status: 'stopped',
  stopReason: 'invoice_closed',
  stopDetail: 'voided at the PSP',
};

describe('an invoice of which nothing is owed any more', () => {
  it('is not charged any more', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    expect(await close(world)).toBe('recovery_stopped');
    expect(await close(world)).toBe('nothing_to_stop');
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.payment()).toMatchObject(closed);
    expect(await world.ledger()).toEqual([]);
    await expectSound(world);
  });

  it('begins no recovery where its failure is told later', async () => {
    const world = await engineWorld();
    expect(await close(world)).toBe('nothing_to_stop');
    await world.submit(failedEvent());
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.payment()).toMatchObject({ ...closed, attempts: [] });
    const [request] = await world.rows('select outcome from requests');
    expect(request).toEqual({ outcome: { invoice_id: 'in_1', result: 'recovery_ended' } });
    expect(await world.rows('select 1 from payments where decision is not null')).toEqual([]);
    await expectSound(world);
  });

  it('is stopped where its failure is ingested and not applied yet', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    expect(await close(world)).toBe('recovery_stopped');
    await world.settle();
    expect(await world.payment()).toMatchObject(closed);
    await expectSound(world);
  });

  it('waits for the charge that is on its way, and ends with it', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_lost_decline'] }));
    await world.runUntil(addMs(worldStart, dayMs));
    expect(await close(world)).toBe('recovery_stopped');
    expect((await world.payment()).status).toBe('attempting');
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.payment()).toMatchObject(closed);
    await expectSound(world);
  });

  it('is told in words that the database takes', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await close(world, `\0${'x'.repeat(600)}`);
    expect((await world.payment()).stopDetail).toHaveLength(500);
  });
});
