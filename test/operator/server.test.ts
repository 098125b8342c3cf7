import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError, InvariantError } from '../../src/domain/errors.ts';
import type { Database } from '../../src/store/database.ts';
import { newMerchant, operatorKit, operatorToken, unused } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';

/** A database of which every question fails. */
function failingWith(failure: unknown): Database {
  return {
    ...unused<Database>('pool'),
    query: async () => {
      throw failure;
    },
  };
}

describe('the operator token', () => {
  const routes = [
    ['POST', '/api/merchants'],
    ['GET', '/api/merchants'],
    ['GET', '/api/merchants/mer_1'],
    ['PATCH', '/api/merchants/mer_1'],
    ['GET', '/api/merchants/mer_1/credentials'],
    ['POST', '/api/merchants/mer_1/credentials'],
    ['POST', '/api/merchants/mer_1/credentials/rotate'],
    ['DELETE', '/api/merchants/mer_1/credentials/cred_1'],
    ['GET', '/api/merchants/mer_1/deliveries'],
    ['POST', '/api/merchants/mer_1/deliveries/evt_1/replay'],
    ['POST', '/api/merchants/mer_1/replays'],
    ['GET', '/api/payments'],
    ['GET', '/api/merchants/mer_1/payments/in_1'],
    ['POST', '/api/merchants/mer_1/payments/in_1/retry'],
    ['POST', '/api/merchants/mer_1/payments/in_1/stop'],
    ['GET', '/api/invariants'],
    ['GET', '/api/sandbox/clock'],
    ['POST', '/api/sandbox/clock'],
    // The same place written another way is behind the same door.
    ['GET', '/%61pi/merchants'],
  ] as const;

  it.each(routes)('is needed for %s %s', async (method, url) => {
    const { server } = operatorKit();
    const reply = await server.inject({ method, url });
    expect(reply.statusCode).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="recoup operator"');
    expect(reply.json()).toEqual({
      error: {
        code: 'operator_unauthorized',
        message:
          "The operator token is missing or wrong. Send the service's OPERATOR_TOKEN as Authorization: Bearer. If none was set, it is in the file operator-token in the data folder.",
      },
    });
  });

  it.each([
    ['the token', `Bearer ${operatorToken}`, 200],
    ['the scheme in another case', `bearer ${operatorToken}`, 200],
    ['another token', 'Bearer another-token-of-someone', 401],
    ['the beginning of it', `Bearer ${operatorToken.slice(0, -1)}`, 401],
    ['more than it', `Bearer ${operatorToken}x`, 401],
    ['no token', 'Bearer ', 401],
    ['another scheme', `Basic ${operatorToken}`, 401],
    ['no scheme', operatorToken, 401],
    ['an empty header', '', 401],
  ])('decides on %s', async (_what, authorization, status) => {
    const { server } = operatorKit();
    const reply = await server.inject({ url: '/api/psps', headers: { authorization } });
    expect(reply.statusCode).toBe(status);
  });

  it('is asked for before the body is read', async () => {
    const { server } = operatorKit();
    const reply = await server.inject({
      method: 'POST',
      url: '/api/merchants',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    });
    expect(reply.statusCode).toBe(401);
  });
});

describe('what needs no token', () => {
  it('is not ready while the process takes no work, and says why', async () => {
    const message = "This machine's clock is 3.0 s behind the database's.";
    const { server } = operatorKit({ heldBack: () => ({ code: 'clock_differs', message }) });
    const reply = await server.inject('/readyz');
    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toEqual({ status: 'not_ready', code: 'clock_differs', message: message });
  });

  it('says that it lives and is ready', async () => {
    const { server } = operatorKit();
    expect((await server.inject('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await server.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it.each([
    async () => ({}),
    async () => {
      throw new Error('broken');
    },
  ])('is not ready when it cannot work (%#)', async (databaseAway) => {
    const { server } = operatorKit({ databaseAway });
    const reply = await server.inject('/readyz');
    expect([reply.statusCode, reply.json()]).toEqual([503, { status: 'not_ready' }]);
    expect((await server.inject('/healthz')).statusCode).toBe(200);
  });

  it('gives its numbers as Prometheus reads them', async () => {
    const { server } = operatorKit();
    const reply = await server.inject('/metrics');
    expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(reply.body).toBe('recoup_attempts_total 1\n');
  });
});

describe('refusals', () => {
  it.each(['/', '/api', '/api/', '/api/nothing', '/api/merchants/', '/api/merchants//payments/x'])(
    'answers 404 at %s',
    async (url) => {
      const reply = await operatorKit().ask('GET', url);
      expect(reply.status).toBe(404);
      expect(reply.json.error.code).toBe('not_found');
    },
  );

  it.each([
    ['PUT', '/api/merchants', 'GET, HEAD, POST'],
    ['DELETE', '/api/merchants/mer_1', 'GET, HEAD, PATCH'],
    ['GET', '/api/merchants/mer_1/credentials/rotate', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ] as const)('answers 405 to %s %s with the methods that it takes', async (method, url, allow) => {
    const reply = await operatorKit().ask(method, url);
    expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
    expect(reply.json.error.code).toBe('method_not_allowed');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json5'])(
    'answers 415 to %s',
    async (type) => {
      const { server } = operatorKit();
      const reply = await server.inject({
        method: 'POST',
        url: '/api/merchants',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': type },
        payload: '{}',
      });
      expect(reply.statusCode).toBe(415);
      expect(reply.json().error.code).toBe('unsupported_media_type');
    },
  );

  it('takes JSON with parameters', async () => {
    const { server } = await operatorService();
    const reply = await server.inject({
      method: 'POST',
      url: '/api/merchants',
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/json; charset=utf-8',
      },
      payload: JSON.stringify(newMerchant),
    });
    expect(reply.statusCode).toBe(201);
  });

  it('answers 413 to a body that is too large', async () => {
    const reply = await operatorKit().ask('POST', '/api/merchants', { name: 'x'.repeat(70_000) });
    expect(reply.status).toBe(413);
    expect(reply.json.error).toEqual({
      code: 'payload_too_large',
      message: 'The body is too large. Send at most 64 KiB.',
    });
  });

  it.each([
    ['', 'body: Field required'],
    ['null', 'body: Field required'],
    ['{', 'body: Input should be valid JSON'],
    ['[]', 'body: Input should be a valid object'],
    ['{"name":"a","name":"b"}', 'name: Field given more than once'],
    ['{"name":"a\\u0000"}', 'name: String should not contain NUL characters'],
    ['{"__proto__":{}}', '__proto__: There is no such field'],
    ['{"name":"\\ud800"}', 'name: String should not contain lone surrogates'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'body: Input should be nested at most 32 levels deep'],
  ])('answers 400 to the body %j', async (payload, fault) => {
    const { server } = operatorKit();
    const reply = await server.inject({
      method: 'POST',
      url: '/api/merchants',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      payload,
    });
    expect(reply.statusCode).toBe(400);
    const { code, fields } = reply.json().error;
    expect(code).toBe('invalid_request');
    const texts = fields.map(
      (each: { field: string; message: string }) => `${each.field}: ${each.message}`,
    );
    expect(texts).toContain(fault);
  });

  it.each([
    [new AppError('not_found', 'No such thing here.'), 404, 'not_found', 'No such thing here.'],
    [new AppError('conflict'), 409, 'conflict', 'does not fit'],
    [
      new AppError('merchant_url_refused', 'It is private.'),
      400,
      'merchant_url_refused',
      'It is private.',
    ],
    [
      new AppError('invalid_request', 'Stripe needs a key.'),
      400,
      'invalid_request',
      'Stripe needs a key. Correct it and send it again.',
    ],
    [
      new AppError('conflict', 'It is too late.', { action: 'Begin again.' }),
      409,
      'conflict',
      'It is too late. Begin again.',
    ],
    [
      new AppError('database_unreachable', 'at 10.1.2.3'),
      503,
      'database_unreachable',
      'does not answer',
    ],
    [
      new AppError('database_login_refused', 'of recoup'),
      503,
      'database_login_refused',
      'rejects the user',
    ],
    [
      new AppError('encryption_key_wrong', 'key 7'),
      500,
      'internal_error',
      'An internal error occurred',
    ],
    [new InvariantError('one success'), 500, 'internal_error', 'An internal error occurred'],
    [
      new Error('relation "secrets" does not exist'),
      500,
      'internal_error',
      'An internal error occurred',
    ],
    ['a thrown text', 500, 'internal_error', 'An internal error occurred'],
  ])('answers %s with %i and tells nothing internal', async (failure, status, code, message) => {
    const kit = operatorKit({ db: failingWith(failure) });
    const reply = await kit.ask('GET', '/api/merchants');
    expect(reply.status).toBe(status);
    expect(reply.json.error.code).toBe(code);
    expect(reply.json.error.message).toContain(message);
    expect(Object.keys(reply.json)).toEqual(['error']);
    expect(JSON.stringify(reply.json)).not.toMatch(/10\.1\.2\.3|key 7|secrets|one success|thrown/);
    expect(kit.errors).toHaveLength(status >= 500 ? 1 : 0);
  });

  it('logs the route and the request id of a fault, never the address', async () => {
    const kit = operatorKit({ db: failingWith(new Error('a row with jo@example.com')) });
    const reply = await kit.ask('GET', '/api/merchants/mer_1');
    expect(kit.errors).toMatchObject([
      { request_id: reply.headers['request-id'], method: 'GET', route: '/api/merchants/:id' },
    ]);
    expect(JSON.stringify(kit.errors)).not.toMatch(/jo@example\.com|mer_1/);
  });

  it('answers bytes that are no request in the same shape', async () => {
    const { server } = operatorKit();
    await server.listen({ host: '127.0.0.1', port: 0 });
    const address = server.server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const socket = connect(address.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.end('nonsense\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(text).toContain('{"error":{"code":');
  });

  it('lets an answer take its time, but not a request', async () => {
    const { server } = operatorKit();
    await server.ready();
    expect(server.server.timeout).toBe(0);
    expect(server.server.requestTimeout).toBeGreaterThan(0);
    expect(server.server.headersTimeout).toBeGreaterThan(0);
  });

  it('forbids keeping an answer', async () => {
    const reply = await operatorKit().ask('GET', '/api/psps');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
