import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { ingestPspWebhook } from '../../../src/recovery/intake/ingest-psp-webhook.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { webhookWorld } from '../../kits/psp-webhooks.ts';
import { signedItem } from '../../kits/psps/adyen-server.ts';
import { adyen, gatewayTo, receivedAt } from './adyen-kit.ts';

const engineWorld = useEngineWorld();

it.each([
  { eventCode: 'CAPTURE_FAILED', reason: 'Capture Failed' },
  { eventCode: 'EXPIRE', reason: '' },
])('$eventCode of a recovered payment opens an incident of it, once', async (told) => {
  const psp = await adyen();
  const gateway = gatewayTo(psp.url, psp.credentials);
  const world = await engineWorld({ psps: ['adyen'] });
  const worker = world.worker((deps) => ({ ...deps, findGateway: async () => gateway }));
  await world.submit(
    failedEvent({ pspCustomerId: 'cus_1', methods: ['stored_success'], psp: 'adyen' }),
  );
  await world.runUntil(addMs(worldStart, dayMs), worker);
  expect((await world.payment()).status).toBe('recovered');
  const [charge] = await world.rows<{ key: string; id: string; amount: number; currency: string }>(
    `select idempotency_key as key, psp_transaction_id as id, amount_minor::int as amount, currency
     from psp_transactions`,
  );
  const { deps, counted } = webhookWorld(world);
  const tell = async () => {
    const item = signedItem({
      pspReference: 'QFQTPCQ8HXSKGK82',
      originalReference: charge?.id,
      merchantReference: charge?.key,
      amount: { value: charge?.amount, currency: charge?.currency },
      ...told,
    });
    const rawBody = Buffer.from(JSON.stringify({ live: 'false', notificationItems: [item] }));
    const { merchantId } = world;
    const webhook = { rawBody, headers: {}, receivedAt };
    const listGateways = async () => [gateway];
    return ingestPspWebhook({ ...deps, listGateways }, { merchantId, psp: 'adyen', webhook });
  };
  expect(await tell()).toMatchObject({ kind: 'read' });
  const { items } = await listIncidents(world.db, { limit: 10 });
  expect(items).toMatchObject([{ kind: 'contradiction', state: 'open', invoiceId: 'in_1' }]);
  expect(await world.rows('select 1 from payments where frozen_at is not null')).toHaveLength(1);
  expect((await world.payment()).status).toBe('recovered');
  await tell();
  expect((await listIncidents(world.db, { limit: 10 })).items).toHaveLength(1);
  expect(counted).toHaveLength(1);
});
