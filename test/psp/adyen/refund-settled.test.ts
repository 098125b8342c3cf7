import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import { refundIncident } from '../../../src/recovery/incidents/resolve-incident.ts';
import { ingestPspWebhook } from '../../../src/recovery/intake/ingest-psp-webhook.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { random, useEngineWorld } from '../../kits/engine.ts';
import { webhookWorld } from '../../kits/psp-webhooks.ts';
import { signedItem } from '../../kits/psps/adyen-server.ts';
import { adyen, gatewayTo, receivedAt } from './adyen-kit.ts';

const engineWorld = useEngineWorld();

/** A payment whose decline Adyen tells to have taken the money, and its refund, which Adyen has taken. */
async function refunding() {
  const psp = await adyen();
  const gateway = gatewayTo(psp.url, psp.credentials);
  const world = await engineWorld({ psps: ['adyen'] });
  const through = { ...world.deps, findGateway: async () => gateway };
  const worker = world.worker(() => through);
  await world.submit(
    failedEvent({ pspCustomerId: 'cus_1', methods: ['stored_expired'], psp: 'adyen' }),
  );
  await world.runUntil(addMs(worldStart, dayMs), worker);
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions',
  );
  // Beside what the engine made, so that Adyen knows the payment that it tells of.
  const paid = await gateway.charge({
    merchantId: world.merchantId,
    invoiceId: 'in_1',
    idempotencyKey: 'paid-after-all',
    amountMinor: 1_223,
    currency: 'USD',
    paymentMethodId: 'stored_success',
    pspCustomerId: 'cus_1',
  });
  if (paid.kind !== 'succeeded') throw new Error(paid.kind);
  const { pspTransactionId } = paid;
  const { merchantId } = world;
  const idempotencyKey = row?.key ?? '';
  const result = { kind: 'succeeded', pspTransactionId } as const;
  await takeAnswer(world.deps, { merchantId, idempotencyKey, result });
  const incidents = createIncidentStore({ db: world.db, random });
  const [opened] = (await listIncidents(world.db, { limit: 10 })).items;
  if (opened === undefined) throw new Error('no incident');
  const ask = { merchantId, incidentId: opened.incidentId, reason: 'seen by K. Ito' };
  const refund = () => refundIncident({ ...through, incidents }, ask);
  const { deps, counted } = webhookWorld(world);
  const tell = async (fields: Record<string, unknown>) => {
    const item = signedItem({
      originalReference: pspTransactionId,
      amount: { currency: 'USD', value: 1_223 },
      ...fields,
    });
    const rawBody = Buffer.from(JSON.stringify({ live: 'false', notificationItems: [item] }));
    const webhook = { rawBody, headers: {}, receivedAt };
    const listGateways = async () => [gateway];
    return ingestPspWebhook({ ...deps, listGateways }, { merchantId, psp: 'adyen', webhook });
  };
  const incident = async () => (await incidents.find(ask)) ?? opened;
  const isFrozen = async () =>
    (await world.rows('select 1 from payments where frozen_at is not null')).length > 0;
  return { world, refund, tell, incident, isFrozen, counted };
}

describe('a refund that Adyen has taken', () => {
  it('is on its way until the notification says that it was made; then the debt goes on', async () => {
    const { refund, tell, incident, isFrozen, counted } = await refunding();
    expect(await refund()).toMatchObject({ kind: 'refunding' });
    const { refundId } = await incident();
    expect(refundId).toMatch(/^REF/);
    expect(await isFrozen()).toBe(true);
    const made = { eventCode: 'REFUND', pspReference: refundId };
    expect(await tell(made)).toMatchObject({ kind: 'read' });
    expect(await incident()).toMatchObject({
      state: 'refunded',
      refundId,
      resolution: 'seen by K. Ito',
    });
    expect(await isFrozen()).toBe(false);
    expect(counted).toEqual(['adyen refund_settled']);
    await tell(made);
    expect(counted).toHaveLength(1);
  });

  it('that is refused is open again, and the next one has a key of its own', async () => {
    const { refund, tell, incident, isFrozen } = await refunding();
    await refund();
    const { refundId } = await incident();
    const reason = "Transaction hasn't been captured, refund not possible";
    await tell({ eventCode: 'REFUND', success: 'false', pspReference: refundId, reason });
    expect(await incident()).toMatchObject({ state: 'open', failedRefunds: 1 });
    expect((await incident()).resolution).toContain(reason);
    expect(await isFrozen()).toBe(true);
    expect(await refund()).toMatchObject({ kind: 'refunding' });
    const again = (await incident()).refundId;
    expect(again).not.toBe(refundId);
    // What is told of the first one once more says nothing of this one.
    await tell({ eventCode: 'REFUND_FAILED', pspReference: refundId });
    expect(await incident()).toMatchObject({ state: 'refunding', refundId: again });
  });

  it.each(['REFUND_FAILED', 'REFUNDED_REVERSED'])(
    'whose money came back after all (%s) freezes the invoice again',
    async (eventCode) => {
      const { refund, tell, incident, isFrozen } = await refunding();
      await refund();
      const { refundId: pspReference } = await incident();
      await tell({ eventCode: 'CANCEL_OR_REFUND', pspReference });
      expect(await isFrozen()).toBe(false);
      await tell({ eventCode, pspReference });
      expect(await incident()).toMatchObject({ state: 'open', failedRefunds: 1 });
      expect((await incident()).resolvedAt).toBeUndefined();
      expect(await isFrozen()).toBe(true);
    },
  );

  it('is not settled by a refund that the merchant made there, nor by one of another account', async () => {
    const { refund, tell, incident, counted } = await refunding();
    await refund();
    const { refundId } = await incident();
    await tell({ eventCode: 'REFUND', pspReference: 'MADEBYHAND000001' });
    await tell({
      eventCode: 'REFUND',
      pspReference: refundId,
      merchantAccountCode: 'AnotherECOM',
    });
    expect((await incident()).state).toBe('refunding');
    expect(counted).toEqual(['adyen nothing_to_do', 'adyen nothing_to_do']);
  });
});
