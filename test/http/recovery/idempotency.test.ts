import { describe, expect, test } from 'vitest';
import { paymentExample } from '../../../src/http/recovery/intake/payment-example.ts';
import { paymentView } from '../../kits/payment-views.ts';
import { otherApiKey, testServer } from '../../kits/recovery-server.ts';

const url = '/recover/payment_method_updates';
const body = { customer_id: 'c', payment_method_id: 'p' };
const key = { 'idempotency-key': '"key-1"' };

test('the same request is carried out once and answered as before', async () => {
  const { post, api } = testServer();
  const first = await post(url, body, key);
  const second = await post(url, body, key);
  const bare = await post(url, body, { 'idempotency-key': 'key-1' });
  expect(first.statusCode).toBe(200);
  expect(first.headers).not.toHaveProperty('idempotent-replayed');
  for (const again of [second, bare]) {
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['content-type']).toBe('application/json');
  }
  expect(api.acceptedUpdates).toHaveLength(1);
});

test('another body under the same key is 422', async () => {
  const { post, api } = testServer();
  await post(url, body, key);
  for (const other of [{ ...body, customer_id: 'd' }, `${JSON.stringify(body)} `, 'not json']) {
    const answer = await post(url, other, key);
    expect([answer.statusCode, answer.body]).toEqual([
      422,
      '{"message":"Unprocessable Content","errors":"This Idempotency-Key was used for another request. Use a new key for a new request."}',
    ]);
  }
  expect(api.acceptedUpdates).toHaveLength(1);
});

test('while the first is under way, the second is 409 and told to wait', async () => {
  const { post, api } = testServer();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  Object.defineProperty(api, 'gate', {
    get: () => {
      begun.resolve();
      return gate.promise;
    },
  });
  const first = post(url, body, key).then((answer) => answer);
  await begun.promise;
  const second = await post(url, body, key);
  expect([second.statusCode, second.body]).toEqual([
    409,
    '{"message":"Conflict","errors":"A request with this Idempotency-Key is still being processed."}',
  ]);
  expect(second.headers['retry-after']).toBe('1');
  gate.resolve();
  expect((await first).statusCode).toBe(200);
});

test('a key belongs to one merchant and one route', async () => {
  const { post, api } = testServer();
  await post(url, body, key);
  const other = await post(url, body, { ...key, 'x-api-key': otherApiKey });
  expect(other.headers).not.toHaveProperty('idempotent-replayed');
  const payment = await post('/recover/payments', paymentExample, key);
  expect(payment.statusCode).toBe(200);
  expect(payment.headers).not.toHaveProperty('idempotent-replayed');
  const uuids = [...api.acceptedUpdates, ...api.acceptedPayments].map((input) => input.uuid);
  expect(new Set(uuids).size).toBe(3);
});

test('another invoice under the same key is another request', async () => {
  const { call, api } = testServer();
  api.payments.set('in_1', paymentView('in_1'));
  const of = (id: string) =>
    call({ method: 'POST', url: `/recover/payments/${id}/stop`, headers: key });
  expect((await of('in_1')).statusCode).toBe(200);
  expect((await of('in_2')).statusCode).toBe(422);
});

describe('what is not kept', () => {
  test('a 400: the body may be put right under the same key', async () => {
    const { post, api } = testServer();
    expect((await post(url, { customer_id: 'c' }, key)).statusCode).toBe(400);
    expect((await post(url, body, key)).statusCode).toBe(200);
    expect(api.acceptedUpdates).toHaveLength(1);
  });

  test('a 500: it runs again, with the receipt that the first would have had', async () => {
    const { post, api } = testServer();
    api.failure = new Error('the answer was lost after the commit');
    expect((await post(url, body, key)).statusCode).toBe(500);
    api.failure = undefined;
    const again = await post(url, body, key);
    expect(again.statusCode).toBe(200);
    const uuid = api.acceptedUpdates[0]?.uuid ?? '';
    expect(again.body).toContain(uuid);
    const { post: elsewhere, api: other } = testServer();
    await elsewhere(url, body, key);
    expect(other.acceptedUpdates[0]?.uuid).toBe(uuid);
  });
});

describe('what is kept', () => {
  test('a 404 and a 409 of the present state', async () => {
    const { call, api } = testServer();
    const retry = (headers: object) =>
      call({ method: 'POST', url: '/recover/payments/in_1/retry', headers: { ...headers } });
    expect((await retry({ 'idempotency-key': 'a' })).statusCode).toBe(404);
    api.payments.set('in_1', paymentView('in_1'));
    expect((await retry({ 'idempotency-key': 'a' })).statusCode).toBe(404);
    api.retryOutcome = { kind: 'refused', because: 'The window has ended.' };
    expect((await retry({ 'idempotency-key': 'b' })).statusCode).toBe(409);
    api.retryOutcome = { kind: 'scheduled', nextAttemptAt: new Date() };
    const replayed = await retry({ 'idempotency-key': 'b' });
    expect(replayed.statusCode).toBe(409);
    expect(replayed.headers).not.toHaveProperty('retry-after');
    expect(api.retried).toHaveLength(2);
  });
});

test('a forgotten key that comes back with another body is another request', async () => {
  const { post, api, idempotency } = testServer();
  await post(url, body, key);
  idempotency.keys.clear();
  await post(url, body, key);
  idempotency.keys.clear();
  await post(url, { ...body, customer_id: 'd' }, key);
  const [first, again, other] = api.acceptedUpdates.map((input) => input.uuid);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the answer stands when the key cannot be settled afterwards', async () => {
  const { post, idempotency, lines } = testServer();
  idempotency.failure = new Error('connection lost');
  expect((await post(url, body, key)).statusCode).toBe(200);
  expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
});

test.each(['""', 'a b', '"open', 'k'.repeat(256), 'ключ'])('the key %s is 400', async (bad) => {
  const { post, api } = testServer();
  const answer = await post(url, body, { 'idempotency-key': bad });
  expect([answer.statusCode, answer.json<{ errors: unknown }>().errors]).toEqual([
    400,
    [
      {
        'Idempotency-Key':
          'Input should be 1 to 255 visible ASCII characters, bare or in double quotes',
      },
    ],
  ]);
  expect(api.acceptedUpdates).toEqual([]);
});

test('a GET pays no attention to a key', async () => {
  const answer = await testServer().call({
    method: 'GET',
    url: '/recover/payments',
    headers: { 'idempotency-key': '""' },
  });
  expect(answer.statusCode).toBe(200);
});
