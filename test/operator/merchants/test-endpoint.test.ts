import { expect, it } from 'vitest';
import { fieldsOf, newMerchant, operatorKit } from '../../kits/operator-server.ts';

it('tests an address of a merchant, and says how it went', async () => {
  const { ask, api } = operatorKit();
  const { json: made } = await ask('POST', '/api/merchants', newMerchant);
  const path = `/api/merchants/${made.id}/endpoints/test`;
  const reply = await ask('POST', path, { endpoint: 'webhook' });
  expect([reply.status, reply.json]).toEqual([
    200,
    {
      endpoint: 'webhook',
      result: 'failed',
      duration_ms: 12,
      words: 'No secure connection could be made.',
      sent_at: '2026-03-01T09:30:00.000Z',
    },
  ]);
  expect(api.calls.at(-1)).toEqual({
    name: 'testEndpoint',
    input: { merchantId: made.id, endpoint: 'webhook' },
  });
});

it('refuses an address that is none, and a merchant that is not there', async () => {
  const { ask } = operatorKit();
  const refused = await ask('POST', '/api/merchants/mer_1/endpoints/test', { endpoint: 'x' });
  expect([refused.status, fieldsOf(refused).length]).toEqual([400, 1]);
  const none = await ask('POST', '/api/merchants/mer_1/endpoints/test', { endpoint: 'webhook' });
  expect(none.status).toBe(404);
});
