import { expect, test } from 'vitest';
import { type Service, useServices } from '../kits/service.ts';
import { expectStatus, operatorApi } from '../kits/service-calls.ts';

const services = useServices();

async function demoMerchant(service: Service) {
  const { items } = await expectStatus(operatorApi(service).get('/api/merchants'), 200);
  return items[0];
}

test('the demo merchant follows its port, and keeps an address that somebody gave it', async () => {
  let service = await services.start();
  const { dataDir } = service;
  const first = await demoMerchant(service);
  await service.stop();

  service = await services.start({ dataDir });
  const second = await demoMerchant(service);
  expect(second.id).toBe(first.id);
  expect(second.webhook_url).not.toBe(first.webhook_url);
  const changed = { webhook_url: 'http://127.0.0.1:4000/hooks', auth: { type: 'none' } };
  const answer = await fetch(`${service.operatorUrl}/api/merchants/${first.id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${service.operatorToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(changed),
  });
  expect(answer.status).toBe(200);
  await service.stop();

  service = await services.start({ dataDir });
  expect(await demoMerchant(service)).toMatchObject(changed);
  await service.stop();
});
