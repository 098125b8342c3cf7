import { expect, it } from 'vitest';
import type { Incident } from '../../../src/recovery/incidents/incident-ports.ts';
import { fieldsOf, operatorKit } from '../../kits/operator-server.ts';

const at = new Date('2026-03-02T12:00:00Z');
const incident: Incident = {
  merchantId: 'mer_1',
  incidentId: 'inc_1',
  kind: 'two_successes',
  failedRefunds: 0,
  subject: 'rcp_1 succeeded',
  state: 'open',
  invoiceId: 'in_1',
  psp: 'stripe',
  charge: 'rcp_1',
  ours: { state: 'not_made', amountMinor: 1_223, currency: 'EUR', at },
  theirs: { state: 'succeeded', pspTransactionId: 'ch_1', amountMinor: 1_223, currency: 'EUR', at },
  detail: 'two charges of one debt succeeded',
  openedAt: at,
};

const json = {
  id: 'inc_1',
  merchant_id: 'mer_1',
  kind: 'two_successes',
  state: 'open',
  invoice_id: 'in_1',
  psp: 'stripe',
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
};

function kitWithIncident() {
  const kit = operatorKit();
  kit.api.incidents = [incident];
  return kit;
}

it('lists and shows both records side by side', async () => {
  const { ask } = kitWithIncident();
  expect((await ask('GET', '/api/incidents?state=unresolved')).json).toEqual({ items: [json] });
  expect((await ask('GET', '/api/incidents/inc_1')).json).toEqual(json);
  expect((await ask('GET', '/api/incidents/inc_2')).status).toBe(404);
});

it.each(['refund', 'dismiss'])('tells what became of a %s', async (action) => {
  const { ask, api } = kitWithIncident();
  const path = `/api/incidents/inc_1/${action}`;
  const body = { reason: 'seen by K. Ito' };
  const state = action === 'refund' ? 'refunded' : 'dismissed';
  api.resolved = { kind: state, status: 'recovered' };
  expect((await ask('POST', path, body)).json).toEqual({ state, status: 'recovered' });
  expect(api.calls.at(-1)).toEqual({
    name: `${action}Incident`,
    input: { incidentId: 'inc_1', ...body },
  });
  api.resolved = { kind: 'refunding', because: 'no answer' };
  expect((await ask('POST', path, body)).json).toEqual({
    state: 'refunding',
    because: 'no answer',
  });
  api.resolved = { kind: 'refused', because: 'The incident is refunded already.' };
  expect((await ask('POST', path, body)).status).toBe(409);
  api.resolved = { kind: 'not_found' };
  expect((await ask('POST', path, body)).status).toBe(404);
});

it('decides nothing without a reason', async () => {
  const { ask } = kitWithIncident();
  expect(fieldsOf(await ask('POST', '/api/incidents/inc_1/refund', {}))).toEqual([
    'reason: Field required',
  ]);
});

it('lists what was set aside and retries it', async () => {
  const { ask, api } = operatorKit();
  const item = { kind: 'payment', merchantId: 'mer_1', id: 'in_1' } as const;
  api.setAside = [{ ...item, invoiceId: 'in_1', reason: 'it broke', failures: 5, setAsideAt: at }];
  expect((await ask('GET', '/api/set-aside?kind=payment')).json).toEqual({
    items: [
      {
        kind: 'payment',
        merchant_id: 'mer_1',
        id: 'in_1',
        invoice_id: 'in_1',
        reason: 'it broke',
        failures: 5,
        set_aside_at: at.toISOString(),
      },
    ],
  });
  const body = { kind: 'payment', merchant_id: 'mer_1', id: 'in_1' };
  expect((await ask('POST', '/api/set-aside/retry', body)).json).toEqual({ retried: true });
  expect(api.calls.at(-1)).toEqual({ name: 'retrySetAside', input: item });
  const other = await ask('POST', '/api/set-aside/retry', { ...body, id: 'in_2' });
  expect(other.status).toBe(404);
});
