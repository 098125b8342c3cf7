import { expect, test } from 'vitest';
import { paymentExample } from '../../../src/http/recovery/intake/payment-example.ts';
import type { RequestSample } from '../../../src/http/recovery/report-request.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

test('a line has the route, the status, the time, and nothing that was sent', async () => {
  const samples: RequestSample[] = [];
  const { post, call, lines } = testServer({ onRequest: (sample) => samples.push(sample) });
  await post('/recover/payments', paymentExample, { 'request-id': 'req-1' });
  await call({ method: 'GET', url: '/recover/payments/in_secret?cursor=c_secret' });
  await call({ method: 'GET', url: '/nowhere/secret' });
  await call({ method: 'GET', url: '/recover/payments', headers: { 'x-api-key': 'rk_secret' } });
  expect(lines.map(({ level, fields }) => ({ level, ...fields }))).toEqual([
    {
      level: 'debug',
      method: 'POST',
      route: 'POST /recover/payments',
      status: 200,
      duration_ms: expect.any(Number),
      request_id: 'req-1',
      merchant_id: 'mer_first',
    },
    expect.objectContaining({ route: 'GET /recover/payments/{invoice_id}', status: 404 }),
    expect.objectContaining({ route: 'unknown', status: 404, merchant_id: undefined }),
    expect.objectContaining({
      route: 'GET /recover/payments',
      status: 403,
      merchant_id: undefined,
    }),
  ]);
  const written = JSON.stringify([lines, samples]);
  for (const secret of ['secret', apiKey, 'cus_1001', 'in_1001']) {
    expect(written).not.toContain(secret);
  }
  expect(samples[0]).toEqual({
    method: 'POST',
    route: 'POST /recover/payments',
    status: 200,
    durationMs: expect.any(Number),
    merchantId: 'mer_first',
  });
});

test('a failure of ours is logged with its kind and place, without its words', async () => {
  const { post, api, lines } = testServer();
  api.failure = Object.assign(new Error('Key (email)=(a@b.c) exists'), { code: '23505' });
  await post('/recover/payments', paymentExample, { 'request-id': 'req-2' });
  const [line] = lines.filter(({ level }) => level === 'error');
  expect(line?.fields).toMatchObject({
    error: {
      name: 'Error',
      code: '23505',
      stack: expect.arrayContaining([expect.stringMatching(/^at /)]),
    },
    request_id: 'req-2',
    route: 'POST /recover/payments',
    merchant_id: 'mer_first',
  });
  expect(JSON.stringify(lines)).not.toContain('a@b.c');
});
