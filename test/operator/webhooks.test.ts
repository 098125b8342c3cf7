import { expect, it } from 'vitest';
import { newMerchant } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { signedWebhook } from '../kits/signed-webhook.ts';

it('judges a webhook by the secrets that the merchant has now', async () => {
  const { ask, merchant, clock } = await operatorService();
  const { id, signing_secret: secret } = (await ask('POST', '/api/merchants', newMerchant)).json;
  const sentAtMs = clock.at.getTime();
  const { body, headers } = signedWebhook({ secrets: [secret], sentAtMs, validForSeconds: 60 });
  const received = {
    body,
    expiration: headers['x-service-webhook-expiration'],
    signature: headers['x-service-webhook-signature'],
  };
  const judge = async (merchantId: string, change = {}) =>
    (await ask('POST', `/api/merchants/${merchantId}/webhooks/verify`, { ...received, ...change }))
      .json;
  expect(await judge(id)).toEqual({ verdict: 'valid' });
  expect(await judge(id, { body: `${body}\n` })).toMatchObject({ verdict: 'body_changed' });
  expect(await judge(await merchant())).toMatchObject({ verdict: 'wrong' });
  clock.at = new Date(sentAtMs + 61_000);
  expect(await judge(id)).toMatchObject({ verdict: 'expired' });
  expect((await judge('mer_none')).error.code).toBe('not_found');
});
