import { expect, test } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import { wideBounds } from '../../kits/bounds.ts';
import { otherApiKey, testServer } from '../../kits/recovery-server.ts';

const url = '/recover/payment_method_updates';
const body = { customer_id: 'c', payment_method_id: 'p' };

test('every request of a merchant says how many are left', async () => {
  const { post, call } = testServer({
    bounds: wideBounds({ writesPerMinute: 60_000, readsPerMinute: 600 }),
  });
  const answers = [
    await post(url, body),
    await post(url, 'not json'),
    await post(url, body, { 'content-type': 'text/plain' }),
    await post('/recover/payments/in_1/stop', {}),
  ];
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 400, 415, 404]);
  answers.forEach((answer, index) => {
    expect(answer.headers['ratelimit-policy']).toBe('"default";q=60000;w=60');
    expect(answer.headers.ratelimit).toBe(`"default";r=${59_999 - index};t=60`);
  });
  const read = await call({ method: 'GET', url: '/recover/payments' });
  expect(read.headers['ratelimit-policy']).toBe('"default";q=600;w=60');
  expect(read.headers.ratelimit).toBe('"default";r=599;t=60');
  for (const answer of [
    await post(url, body, { 'x-api-key': 'wrong' }),
    await post('/nowhere', body),
  ]) {
    expect(answer.headers).not.toHaveProperty('ratelimit');
  }
});

test('over it a POST is 429 until the window ends, for that merchant alone', async () => {
  const { post, call, clock, api } = testServer({
    bounds: wideBounds({ writesPerMinute: 2 }),
  });
  await post(url, body);
  await post(url, body);
  clock.at = addMs(clock.at, 18_000);
  const refused = await post(url, body);
  expect([refused.statusCode, refused.body]).toEqual([
    429,
    '{"message":"Too Many Requests","errors":"Too many requests. Try again in 42 s."}',
  ]);
  expect(refused.headers['retry-after']).toBe('42');
  expect(refused.headers.ratelimit).toBe('"default";r=0;t=42');
  expect((await call({ method: 'GET', url: '/recover/payments' })).statusCode).toBe(200);
  expect((await post(url, body, { 'x-api-key': otherApiKey })).statusCode).toBe(200);
  clock.at = addMs(clock.at, minuteMs);
  expect((await post(url, body)).statusCode).toBe(200);
  expect(api.acceptedUpdates).toHaveLength(4);
});

test('reads are counted apart, and refused alike', async () => {
  const { post, call } = testServer({ bounds: wideBounds({ readsPerMinute: 1 }) });
  const read = () => call({ method: 'GET', url: '/recover/payments' });
  expect((await read()).statusCode).toBe(200);
  expect((await read()).statusCode).toBe(429);
  expect((await post(url, body)).statusCode).toBe(200);
});

test('wrong keys are 403 in the turn of their address, and refused in a flood; a right one passes', async () => {
  const { listen, call } = testServer({ bounds: wideBounds({ strangersPerMinute: 60 }) });
  const port = await listen();
  const right = () => call({ method: 'GET', url: '/recover/payments' });
  expect((await right()).statusCode).toBe(200);
  const controller = new AbortController();
  const statuses: number[] = [];
  const limits: Headers[] = [];
  const flooded = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  const guesses = Array.from({ length: 140 }, async (_, n) => {
    const answer = await fetch(`http://127.0.0.1:${port}/recover/payments`, {
      headers: { 'x-api-key': `rk_test_guess_${n}` },
      signal: controller.signal,
    });
    statuses.push(answer.status);
    if (answer.status === 429) limits.push(answer.headers);
    if (answer.status === 429) flooded.resolve();
    if (answer.status === 403) refused.resolve();
  });
  const ended = Promise.allSettled(guesses);
  await Promise.all([flooded.promise, refused.promise]);
  expect((await right()).statusCode).toBe(200);
  controller.abort();
  await ended;
  expect(new Set(statuses)).toEqual(new Set([403, 429]));
  const [told] = limits;
  expect(told?.get('ratelimit-policy')).toBe('"default";q=60;w=60');
  expect(told?.get('ratelimit')).toBe(`"default";r=0;t=${told?.get('retry-after')}`);
});
