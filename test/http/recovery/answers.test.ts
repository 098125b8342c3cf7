import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import { paymentExample } from '../../../src/http/recovery/intake/payment-example.ts';
import { firstAnswer, hasAnswers, rawExchange } from '../../kits/raw-http.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

const updates = '/recover/payment_method_updates';
const update = '{"customer_id":"cus_1","payment_method_id":"pm_1"}';

const bodies = {
  403: '{"message":"Forbidden","errors":"Invalid API Key"}',
  404: '{"message":"Method/Path combination not found."}',
  415: '{"message":"Unsupported Media Type","errors":"Content-Type must be application/json"}',
  500: '{"message":"Internal Server Error","errors":"Something went wrong on our side. Please try again later."}',
};

const receipt =
  /^\{"message":"Request submitted for processing","request_id":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}:0{55}1:000000000007"\}$/;

describe('byte for byte', () => {
  test.each([
    [updates, update],
    ['/recover/payments', JSON.stringify(paymentExample)],
  ])('200 of %s', async (url, body) => {
    const answer = await testServer().post(url, body);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toMatch(receipt);
    expect(answer.headers['content-type']).toBe('application/json');
  });

  test.each([
    ['{}', '[{"customer_id":"Field required"},{"payment_method_id":"Field required"}]'],
    ['{"payment_method_id":"pm_1"}', '[{"customer_id":"Field required"}]'],
    ['{"psp_customer_id":"cus_1"}', '[{"payment_method_id":"Field required"}]'],
    ['', '[{"body":"Field required"}]'],
    ['[]', '[{"body":"Input should be a valid object"}]'],
    [
      '{"customer_id":"c","payment_method_id":"p","reason":"moved"}',
      `[{"reason":"Input should be 'user_added', 'user_removed', 'user_updated' or 'network_updated'"}]`,
    ],
  ])('400 for %s', async (body, errors) => {
    const answer = await testServer().post(updates, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toBe(`{"message":"Invalid request body","errors":${errors}}`);
    expect(answer.headers['content-type']).toBe('application/json');
  });

  test.each([
    ['no key', {}],
    ['an empty key', { 'x-api-key': '' }],
    ['an unknown key', { 'x-api-key': 'rk_test_unknown' }],
    ['a key of another case', { 'x-api-key': apiKey.toUpperCase() }],
    ['two keys', { 'x-api-key': `${apiKey}, ${apiKey}` }],
    ['a key in the wrong header', { authorization: `Bearer ${apiKey}` }],
    ['an endless key', { 'x-api-key': 'k'.repeat(5_000) }],
  ])('403 for %s', async (_name, headers) => {
    const { app, api } = testServer();
    for (const method of ['GET', 'POST'] as const) {
      const answer = await app.inject({ method, url: '/recover/payments', headers });
      expect(answer.statusCode).toBe(403);
      expect(answer.body).toBe(bodies[403]);
      expect(answer.headers['content-type']).toBe('application/json');
    }
    expect(api.acceptedPayments).toEqual([]);
  });

  test('415 for a missing and for another Content-Type', async () => {
    const { call } = testServer();
    const types = [
      undefined,
      'text/json',
      'application/jsonx',
      'text/plain',
      'application/json; charset',
    ];
    for (const type of types) {
      const headers = type === undefined ? {} : { 'content-type': type };
      const answer = await call({
        method: 'POST',
        url: updates,
        payload: Buffer.from(update),
        headers,
      });
      expect([type, answer.statusCode, answer.body]).toEqual([type, 415, bodies[415]]);
      expect(answer.headers['content-type']).toBe('application/json');
    }
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;charset=UTF-8',
    'application/json; charset=iso-8859-1',
    'application/json;',
  ])('%s is read as JSON in UTF-8', async (type) => {
    const { post, api } = testServer();
    const answer = await post(updates, '{"customer_id":"Ünï","payment_method_id":"p"}', {
      'content-type': type,
    });
    expect(answer.statusCode).toBe(200);
    expect(api.acceptedUpdates[0]?.body.customer_id).toBe('Ünï');
  });

  test('500 tells nothing of the failure, whatever failed', async () => {
    const failures = [
      new Error('connect ECONNREFUSED 10.1.2.3:5432, password=hunter2'),
      new AppError('database_unreachable'),
      new AppError('encryption_key_wrong'),
      Object.assign(new Error('duplicate key'), { statusCode: 409, code: '23505' }),
    ];
    for (const failure of failures) {
      const { call, post, api, lines } = testServer();
      api.failure = failure;
      for (const answer of [
        await post(updates, update),
        await call({ method: 'GET', url: '/recover/payments/in_1' }),
      ]) {
        expect(answer.statusCode).toBe(500);
        expect(answer.body).toBe(bodies[500]);
        expect(answer.headers['content-type']).toBe('application/json');
      }
      expect(JSON.stringify(lines)).not.toContain('hunter2');
    }
  });

  const refusing = JSON.stringify({
    message: 'Service Unavailable',
    errors: 'The service cannot work just now. Try again in 1 s.',
  });
  test.each([
    [500, 'database_unreachable', bodies[500]],
    [500, 'database_login_refused', bodies[500]],
    [500, 'database_out_of_resources', bodies[500]],
    [503, 'database_connections_exhausted', refusing],
    [503, 'database_disk_full', refusing],
    [503, 'database_read_only', refusing],
  ] as const)('%i, to be asked again, while it is %s', async (status, code, body) => {
    const { call, post, api } = testServer();
    api.failure = new AppError(code);
    for (const answer of [
      await post(updates, update),
      await call({ method: 'GET', url: '/recover/payments/in_1' }),
    ]) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, '1']);
      expect(answer.body).toBe(body);
    }
  });

  test('500 when the keys cannot be looked up', async () => {
    const { call } = testServer({ authenticate: () => Promise.reject(new Error('down')) });
    const answer = await call({ method: 'GET', url: '/recover/payments' });
    expect([answer.statusCode, answer.body]).toEqual([500, bodies[500]]);
  });
});

describe('the order of answers', () => {
  const wrong = {
    method: 'POST',
    payload: 'not json',
    headers: { 'content-type': 'text/plain' },
  } as const;

  test('an unknown path is 404 before the key, the type and the body are looked at', async () => {
    const { app } = testServer();
    const answer = await app.inject({ ...wrong, url: '/recover/unknown' });
    expect([answer.statusCode, answer.body]).toEqual([404, bodies[404]]);
  });

  test('a wrong key is 403 before the type and the body', async () => {
    const { app } = testServer();
    const answer = await app.inject({ ...wrong, url: updates });
    expect(answer.statusCode).toBe(403);
  });

  test('a wrong type is 415 before the body', async () => {
    const answer = await testServer().call({ ...wrong, url: updates });
    expect(answer.statusCode).toBe(415);
  });

  test('a wrong body is 400 before the engine is asked', async () => {
    const { post, api } = testServer();
    api.failure = new Error('must not be reached');
    expect((await post(updates, 'not json')).statusCode).toBe(400);
  });
});

describe('over a real connection', () => {
  const head = (key: string, type: string, length: number): string =>
    `POST ${updates} HTTP/1.1\r\nHost: recoup\r\n${key}${type}Content-Length: ${length}\r\n\r\n`;
  const key = `x-api-key: ${apiKey}\r\n`;
  const json = 'Content-Type: application/json\r\n';

  test.each([
    [
      400,
      head(key, json, 2),
      '{}',
      '{"message":"Invalid request body","errors":[{"customer_id":"Field required"},{"payment_method_id":"Field required"}]}',
    ],
    [403, head('', json, update.length), update, bodies[403]],
    [404, 'DELETE /recover/payments HTTP/1.1\r\nHost: recoup\r\n\r\n', '', bodies[404]],
    [415, head(key, '', update.length), update, bodies[415]],
  ])('%i has the same bytes', async (status, start, payload, body) => {
    const port = await testServer().listen();
    const { text } = await rawExchange(port, start + payload, hasAnswers(1));
    expect(firstAnswer(text)).toEqual({ status, body });
    expect(text).toMatch(/\r\ncontent-type: application\/json\r\n/i);
  });

  test('500 has the same bytes', async () => {
    const server = testServer();
    server.api.failure = new Error('down');
    const port = await server.listen();
    const { text } = await rawExchange(
      port,
      head(key, json, update.length) + update,
      hasAnswers(1),
    );
    expect(firstAnswer(text)).toEqual({ status: 500, body: bodies[500] });
  });

  test('200 carries the acknowledgement', async () => {
    const port = await testServer().listen();
    const { text } = await rawExchange(
      port,
      head(key, json, update.length) + update,
      hasAnswers(1),
    );
    expect(firstAnswer(text).status).toBe(200);
    expect(firstAnswer(text).body).toMatch(receipt);
  });
});

describe('headers', () => {
  test('every answer has a Request-Id: the caller’s own or a fresh one', async () => {
    const { app, call } = testServer();
    const echoed = await call({
      method: 'GET',
      url: '/recover/payments',
      headers: { 'request-id': 'mine-1.2:3' },
    });
    expect(echoed.headers['request-id']).toBe('mine-1.2:3');
    const ids = new Set<unknown>();
    for (const header of ['', 'with space', 'é', 'x'.repeat(129), 'a\tb', '"quoted"']) {
      const answer = await app.inject({ url: '/nowhere', headers: { 'request-id': header } });
      expect(answer.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
      ids.add(answer.headers['request-id']);
    }
    expect(ids.size).toBe(6);
  });

  test('nothing may be cached, and nothing names the server', async () => {
    const { call, post } = testServer();
    const answers = [
      await call({ method: 'GET', url: '/recover/payments' }),
      await post(updates, '{}'),
      await call({ method: 'GET', url: '/nowhere' }),
    ];
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store');
      expect(headers.server ?? headers['x-powered-by']).toBeUndefined();
    }
  });
});
