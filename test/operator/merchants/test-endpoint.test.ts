import { expect, it, onTestFinished } from 'vitest';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import { fieldsOf, operatorKit } from '../../kits/operator-server.ts';
import { operatorService } from '../../kits/operator-service.ts';

it('tests an address of a merchant, and says how it went', async () => {
  const server = await startFakeMerchant({ signingSecret: 'secret-of-another' });
  onTestFinished(() => server.close());
  const { ask, merchant } = await operatorService();
  const id = await merchant({ webhook_url: server.webhookUrl });
  server.answerWebhooks({ status: 500 });
  const reply = await ask('POST', `/api/merchants/${id}/endpoints/test`, { endpoint: 'webhook' });
  expect([reply.status, reply.json]).toEqual([
    200,
    {
      endpoint: 'webhook',
      result: 'failed',
      status: 500,
      duration_ms: expect.any(Number),
      message: expect.stringContaining('500'),
      advice: expect.any(String),
      sent_at: '2026-03-01T09:30:00.000Z',
    },
  ]);
  expect(server.webhooks).toMatchObject([{ type: 'test' }]);
});

it('refuses an address that is none, and a merchant that is not there', async () => {
  const path = '/api/merchants/mer_1/endpoints/test';
  const refused = await operatorKit().ask('POST', path, { endpoint: 'x' });
  expect([refused.status, fieldsOf(refused).length]).toEqual([400, 1]);
  const { ask } = await operatorService();
  expect((await ask('POST', path, { endpoint: 'webhook' })).status).toBe(404);
});
