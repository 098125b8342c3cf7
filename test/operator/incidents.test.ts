import { expect, it } from 'vitest';
import type { NewIncident } from '../../src/recovery/incidents/incident-ports.ts';
import { createIncidentStore } from '../../src/store/incidents/incident-store.ts';
import { random } from '../kits/engine.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { seedAttempt, seedPayment } from '../store/reports/seed.ts';

const at = new Date('2026-03-02T12:00:00Z');
const taken = {
  state: 'succeeded',
  pspTransactionId: 'ch_1',
  amountMinor: 1_223,
  currency: 'EUR',
  at,
};

/** A merchant with two successes of one debt, the second of which our record does not have. */
async function withIncident() {
  const service = await operatorService();
  const merchantId = await service.merchant();
  await seedPayment(service.db, { merchantId, invoiceId: 'in_1', state: 'recovered' });
  await seedAttempt(service.db, { merchantId, invoiceId: 'in_1', number: 1, state: 'succeeded' });
  const found: NewIncident = {
    merchantId,
    kind: 'two_successes',
    subject: 'rcp_1 succeeded',
    invoiceId: 'in_1',
    psp: 'sandbox',
    charge: 'rcp_1',
    ours: { state: 'not_made', amountMinor: 1_223, currency: 'EUR', at },
    theirs: taken,
    detail: 'two charges of one debt succeeded',
    at,
  };
  await createIncidentStore({ db: service.db, random }).open(found);
  const { json } = await service.ask('GET', '/api/incidents?state=unresolved');
  return { ...service, merchantId, items: json.items, id: json.items[0].id as string };
}

it('lists and shows both records side by side', async () => {
  const { ask, merchantId, items, id } = await withIncident();
  expect(items).toEqual([
    {
      id: expect.stringMatching(/^inc_/),
      merchant_id: merchantId,
      kind: 'two_successes',
      state: 'open',
      invoice_id: 'in_1',
      psp: 'sandbox',
      charge: 'rcp_1',
      detail: 'two charges of one debt succeeded',
      ours: { state: 'not_made', amount: 12.23, currency: 'EUR', at: at.toISOString() },
      theirs: {
        state: 'succeeded',
        psp_transaction_id: 'ch_1',
        amount: 12.23,
        currency: 'EUR',
        at: at.toISOString(),
      },
      opened_at: at.toISOString(),
    },
  ]);
  expect((await ask('GET', `/api/incidents/${id}`)).json).toEqual(items[0]);
  expect((await ask('GET', '/api/incidents/inc_2')).status).toBe(404);
  expect((await ask('GET', '/api/incidents?merchant_id=a%00b')).status).toBe(400);
});

const body = { reason: 'seen by K. Ito' };

it('tells what became of a refund', async () => {
  const { ask, psp, id } = await withIncident();
  const path = `/api/incidents/${id}/refund`;
  psp.refund = { kind: 'unknown', reason: 'no answer' };
  expect((await ask('POST', path, body)).json).toEqual({
    state: 'refunding',
    because: 'no answer',
  });
  psp.refund = { kind: 'refunded', refundId: 're_1' };
  expect((await ask('POST', path, body)).json).toEqual({ state: 'refunded', status: 'recovered' });
  expect((await ask('POST', path, body)).status).toBe(409);
  expect((await ask('GET', `/api/incidents/${id}`)).json).toMatchObject({
    state: 'refunded',
    refund_id: 're_1',
    resolution: 'seen by K. Ito',
  });
});

it('dismisses one once, and knows no other', async () => {
  const { ask, id } = await withIncident();
  const path = `/api/incidents/${id}/dismiss`;
  expect((await ask('POST', path, body)).json).toEqual({ state: 'dismissed', status: 'recovered' });
  expect((await ask('POST', path, body)).status).toBe(409);
  for (const act of ['refund', 'dismiss']) {
    expect((await ask('POST', `/api/incidents/inc_2/${act}`, body)).status).toBe(404);
  }
});

it('decides nothing without a reason', async () => {
  expect(fieldsOf(await operatorKit().ask('POST', '/api/incidents/inc_1/refund', {}))).toEqual([
    'reason: Field required',
  ]);
});
