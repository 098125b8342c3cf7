import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import { wideBounds } from '../../kits/bounds.ts';
import { clock, type DisputesKit, disputesKit } from '../../kits/disputes-server.ts';
import { firstAnswer, hasAnswers, rawExchange } from '../../kits/raw-http.ts';

const path = '/v1/psp/stripe/webhooks/mer_1';

async function post(kit: DisputesKit, options: { path?: string } & RequestInit = {}) {
  const { path: to = path, ...init } = options;
  const answer = await fetch(`${kit.url}${to}`, { method: 'POST', body: '{"id":"evt"}', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe('a webhook', () => {
  it('reaches the engine with its own bytes and headers, and is acknowledged', async () => {
    const kit = await disputesKit();
    const body = Buffer.from([0x7b, 0xe9, 0x00, 0xff, 0x0d, 0x0a, 0x7d]);
    const headers = { 'Stripe-Signature': 't=1,v1=abc', 'content-type': 'application/json' };
    const answer = await post(kit, { body, headers });
    expect([answer.status, answer.text]).toEqual([
      200,
      '{"detail":"Event delivered successfully."}',
    ]);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const [taken] = kit.taken;
    expect(taken).toMatchObject({ merchantId: 'mer_1', psp: 'stripe' });
    expect(Buffer.from(taken?.webhook.rawBody ?? []).equals(body)).toBe(true);
    expect(taken?.webhook.headers).toMatchObject({
      'stripe-signature': 't=1,v1=abc',
      'content-type': 'application/json',
    });
    expect(taken?.webhook.receivedAt).toEqual(clock.now());
    expect(kit.counted).toEqual(['stripe read']);
    expect(kit.lines).toEqual([]);
  });

  it('is answered with the body that its PSP waits for', async () => {
    const kit = await disputesKit();
    kit.outcome = { kind: 'read', answer: '[accepted]' };
    const answer = await post(kit);
    expect([answer.status, answer.text]).toEqual([200, '[accepted]']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it.each([
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'text/plain',
    'no type at all',
    '',
  ])('may be of any type, such as %j', async (type) => {
    const kit = await disputesKit();
    const answer = await post(kit, { headers: { 'content-type': type } });
    expect(answer.status).toBe(200);
    expect(kit.taken[0]?.webhook.headers['content-type']).toBe(type);
    expect(Buffer.from(kit.taken[0]?.webhook.rawBody ?? []).toString()).toBe('{"id":"evt"}');
  });

  it('may have no type and no body', async () => {
    const kit = await disputesKit();
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`;
    const { text } = await rawExchange(kit.port, head, hasAnswers(1));
    expect(firstAnswer(text).status).toBe(200);
    expect(kit.taken[0]?.webhook.rawBody).toHaveLength(0);
    expect(kit.taken[0]?.webhook.headers['content-type']).toBeUndefined();
  });

  it('may be as large as 1 MiB, and not a byte larger', async () => {
    const kit = await disputesKit();
    const largest = await post(kit, { body: Buffer.alloc(limits.pspWebhookBytes, 'x') });
    expect(largest.status).toBe(200);
    expect(kit.taken[0]?.webhook.rawBody).toHaveLength(1024 * 1024);
    const length = limits.pspWebhookBytes + 1;
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`;
    const larger = await rawExchange(kit.port, head + 'x'.repeat(length), hasAnswers(1));
    expect(firstAnswer(larger.text)).toEqual({
      status: 413,
      body: '{"detail":"A webhook may have at most 1048576 bytes."}',
    });
    expect(kit.taken).toHaveLength(1);
    expect(kit.counted).toEqual(['stripe read', 'stripe refused']);
  });
});

describe('a refused webhook', () => {
  const notSigned = 'The webhook has no valid signature for this account.';
  const reason = 'Words of the gateway.';
  const away = new AppError('database_unreachable', 'canary of a database');
  it.each([
    ['unverified', { kind: 'unverified', reason }, 401, notSigned],
    ['malformed', { kind: 'malformed', reason }, 401, notSigned],
    ['unavailable', { kind: 'unavailable', reason }, 503, reason],
    ['failed', away, 503, 'The service cannot work just now.'],
    ['failed', new AppError('database_login_refused'), 503, 'The service cannot work just now.'],
    ['failed', new Error('canary of a row'), 500, 'Internal Server Error'],
  ] as const)('that is %s: %o', async (result, outcome, status, detail) => {
    const kit = await disputesKit();
    kit.outcome = outcome;
    const answer = await post(kit, {
      body: 'canary of a body',
      headers: { 'stripe-signature': 'canary of a signature', 'request-id': 'req_1' },
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { detail }]);
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '30' : null);
    expect(kit.counted).toEqual([`stripe ${result}`]);
    expect(kit.lines).toHaveLength(1);
    expect(kit.lines[0]).toContain('"request_id":"req_1","psp":"stripe","merchant_id":"mer_1"');
    expect(kit.lines.join().replace('canary of a database', '')).not.toContain('canary');
  });

  it.each([
    '/v1/psp/stripe/webhooks/mer_none',
    '/v1/psp/adyen/webhooks/mer_1',
    '/v1/psp/canary/webhooks/mer_1',
  ])('to nobody’s account (%s) is one before its body is read', async (to) => {
    const kit = await disputesKit();
    const answer = await post(kit, { path: to });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([401, { detail: notSigned }]);
    expect(kit.taken).toEqual([]);
    expect(kit.counted).toMatchObject([/not_connected$/.exec(kit.counted[0] ?? '')?.input]);
    expect(kit.lines.join()).not.toMatch(/canary|mer_/);
  });

  it('is answered alike to the byte for accounts that are there, unknown, switched off or of others', async () => {
    const kit = await disputesKit();
    kit.outcome = { kind: 'unverified', reason };
    const answers: string[] = [];
    for (const [psp, merchant] of [
      ['stripe', 'mer_1'],
      ['stripe', 'mer_2'],
      ['adyen', 'mer_1'],
      ['sandbox', 'mer_1'],
      ['chase_gateway', 'mer_1'],
      ['constructor', 'mer_1'],
      ['Stripe', 'mer_1'],
    ]) {
      const to = `/v1/psp/${psp}/webhooks/${merchant}`;
      const head = `POST ${to} HTTP/1.1\r\nhost: x\r\nrequest-id: same\r\ncontent-length: 2\r\n\r\n{}`;
      const { text } = await rawExchange(kit.port, head, hasAnswers(1));
      answers.push(text.replace(/date: .*/i, ''));
    }
    expect(answers[0]).toContain('401 Unauthorized');
    expect(new Set(answers).size).toBe(1);
  });

  it('that cannot be read is answered as to an account that is not there, and the log says why', async () => {
    const kit = await disputesKit();
    kit.outcome = { kind: 'malformed', reason };
    const chunk = `${(limits.pspWebhookBytes + 1).toString(16)}\r\n${'x'.repeat(limits.pspWebhookBytes + 1)}\r\n0\r\n\r\n`;
    const answers: string[] = [];
    for (const [merchant, framing] of [
      ['mer_none', 'content-length: 1\r\n\r\n{'],
      ['mer_1', 'content-length: 1\r\n\r\n{'],
      ['mer_1', `transfer-encoding: chunked\r\n\r\n${chunk}`],
    ]) {
      const head = `POST /v1/psp/stripe/webhooks/${merchant} HTTP/1.1\r\nhost: x\r\nrequest-id: same\r\n`;
      const { text } = await rawExchange(kit.port, head + framing, hasAnswers(1));
      answers.push(text.replace(/date: .*/i, ''));
    }
    expect(answers[0]).toContain('401 Unauthorized');
    expect(new Set(answers).size).toBe(1);
    expect(kit.lines[1]).toContain(reason);
    expect(kit.lines[2]).toContain('at most 1048576 bytes');
  });

  it('to an account that nobody can have is 400', async () => {
    const answer = await post(await disputesKit(), { path: '/v1/psp/stripe/webhooks/%00' });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { detail: 'The address names no account.' },
    ]);
  });

  it('is one of too many in a minute of its merchant', async () => {
    const kit = await disputesKit({
      bounds: { ...wideBounds(), webhooksPerMinute: 2 },
    });
    const answers = [await post(kit), await post(kit), await post(kit)];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers.get('retry-after')).toBe('60');
    expect(JSON.parse(answers[2]?.text ?? '')).toEqual({
      detail: 'Too many requests arrived in the last minute.',
    });
    expect((await post(kit, { path: '/v1/psp/stripe/webhooks/mer_none' })).status).toBe(401);
  });

  it('that nobody signed uses up nothing of its merchant', async () => {
    const kit = await disputesKit({ bounds: { ...wideBounds(), webhooksPerMinute: 1 } });
    const signed = kit.outcome;
    kit.outcome = { kind: 'unverified', reason: 'The signature is wrong.' };
    for (let n = 0; n < 5; n += 1) expect((await post(kit)).status).toBe(401);
    kit.outcome = signed;
    expect((await post(kit)).status).toBe(200);
    expect((await post(kit)).status).toBe(429);
  });

  it('is refused unread where its address floods', async () => {
    const bounds = { ...wideBounds({ strangersPerMinute: 60 }), webhooksPerMinute: 1_000 };
    const kit = await disputesKit({ bounds });
    kit.outcome = { kind: 'unverified', reason: 'The signature is wrong.' };
    const controller = new AbortController();
    const { signal } = controller;
    const flooded = Promise.withResolvers<void>();
    const answers = Array.from({ length: 140 }, async () => {
      const answer = await fetch(`${kit.url}${path}`, { method: 'POST', body: '{}', signal });
      if (answer.status === 429) flooded.resolve();
    });
    const ended = Promise.allSettled(answers);
    await flooded.promise;
    controller.abort();
    await ended;
    expect(kit.taken.length).toBeLessThan(5);
  });

  it('that was cut off is not ingested', async () => {
    const kit = await disputesKit();
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf`;
    const socket = connect(kit.port, '127.0.0.1').end(head).resume();
    await once(socket, 'close');
    expect(kit.taken).toEqual([]);
    expect((await post(kit)).status).toBe(200);
  });
});

describe('the listener', () => {
  it.each(['/v1', `${path}/`, '/v1/psp/stripe/webhooks/', '/V1/psp/stripe/webhooks/mer_1'])(
    'knows nothing at %s',
    async (to) => {
      const kit = await disputesKit();
      const answer = await post(kit, { path: to });
      expect([answer.status, answer.text]).toEqual([404, '{"detail":"Not Found"}']);
      expect(kit.counted).toEqual([]);
    },
  );

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'takes no %s where it takes webhooks',
    async (method) => {
      const kit = await disputesKit();
      const answer = await fetch(`${kit.url}${path}`, { method });
      expect([answer.status, await answer.text()]).toEqual([
        405,
        '{"detail":"Method Not Allowed"}',
      ]);
      expect(answer.headers.get('allow')).toBe('POST');
    },
  );

  it('answers what is no request in its own words', async () => {
    const kit = await disputesKit();
    const { text, isClosed } = await rawExchange(kit.port, 'no request\r\n\r\n');
    const { status, body } = firstAnswer(text);
    expect([status, Object.keys(JSON.parse(body)), isClosed]).toEqual([404, ['detail'], true]);
  });
});
