import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import type { MerchantAuth } from '../../src/domain/merchant.ts';
import type { ReceivedEvent } from '../../src/merchant/demo-inbox.ts';
import { type DemoMerchant, startDemoMerchant } from '../../src/merchant/demo-merchant.ts';
import { createMerchantClient } from '../../src/merchant/merchant-client.ts';
import { merchantAt } from './merchant-at.ts';

const now = new Date('2026-03-01T12:00:00Z');
const nowUnix = now.getTime() / 1000;
const key = { 'x-api-key': 'demo-key' };

interface Demo extends DemoMerchant {
  readonly verified: ReceivedEvent[];
  readonly secrets: string[];
}

async function startDemo(): Promise<Demo> {
  const verified: ReceivedEvent[] = [];
  const secrets = ['demo-secret'];
  const demo = await startDemoMerchant({
    clock: { now: () => now },
    apiKey: 'demo-key',
    signingSecrets: () => secrets,
    onVerified: (received) => verified.push(received),
  });
  onTestFinished(() => demo.close());
  return { ...demo, verified, secrets };
}

async function call(
  url: string,
  headers: Record<string, string>,
  body = '{}',
  method = 'POST',
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const lookUp = (demo: Demo, invoiceId: string, headers: Record<string, string> = key) =>
  call(`${demo.origin}/retry/${invoiceId}`, headers);

function signed(body: string, over: { secret?: string; expiration?: string; id?: string } = {}) {
  const expiration = over.expiration ?? String(nowUnix + 300);
  const hmac = createHmac('sha256', over.secret ?? 'demo-secret').update(body + expiration);
  return {
    ...key,
    'x-service-webhook-type': 'retry_result',
    'x-service-webhook-expiration': expiration,
    'x-service-webhook-signature': hmac.digest('hex'),
    'x-service-webhook-deduplication-id': over.id ?? 'id-1',
  };
}

describe('the demo merchant', () => {
  it('works with the client as it is', async () => {
    const demo = await startDemo();
    const client = createMerchantClient({
      allow: ['127.0.0.1'],
      timeoutMs: 5000,
      elapsedMs: () => performance.now(),
      clock: { now: () => now },
    });
    onTestFinished(() => client.close());
    const auth: MerchantAuth = { type: 'api_key', api_key: 'demo-key' };
    const secrets = { auth, signingSecrets: ['demo-secret'] };
    const merchant = merchantAt(demo);
    const ask = (invoiceId: string) => client.askRetryStatus({ merchant, secrets, invoiceId });
    expect(await ask('in_1')).toEqual({ kind: 'retry', reason: 'Invoice open' });
    expect(await ask('inv_unknown')).toMatchObject({ kind: 'not_found' });
    expect(await ask('inv_rate_limited')).toEqual({ kind: 'rate_limited', retryAfterMs: 60_000 });
    expect(await ask('inv_server_error')).toMatchObject({ cause: 'server_error' });
    expect(await ask('inv_forgiven_7')).toMatchObject({ kind: 'do_not_retry' });
    const body = '{"invoice_id":"in_1","success":true}';
    const webhook = {
      url: demo.webhookUrl,
      secrets,
      eventId: 'evt_1',
      type: 'retry_result',
      body,
      sentAt: now,
    };
    expect(await client.sendWebhook(webhook)).toMatchObject({ kind: 'delivered' });
    expect(demo.verified).toMatchObject([
      { type: 'retry_result', receivedAt: now, event: { invoice_id: 'in_1', success: true } },
    ]);
  });

  it('answers look-ups with the documented bodies, byte for byte', async () => {
    const demo = await startDemo();
    const bodies = [
      [401, '{"detail":"Missing or invalid api key"}', await lookUp(demo, 'in_1', {})],
      [
        401,
        '{"detail":"Missing or invalid api key"}',
        await lookUp(demo, 'in_1', { 'x-api-key': 'x' }),
      ],
      [
        404,
        '{"detail":"An invoice with the provided ID cannot be found"}',
        await lookUp(demo, 'inv_unknown'),
      ],
      [
        429,
        '{"detail":"Requests have exceeded rate limiting"}',
        await lookUp(demo, 'inv_rate_limited'),
      ],
      [500, '{"detail":"A server error has occurred"}', await lookUp(demo, 'inv_server_error')],
      [200, '{"retry":true,"reason":"Invoice open"}', await lookUp(demo, 'in_1')],
      [200, '{"retry":true,"reason":"Invoice open"}', await lookUp(demo, '%')],
    ] as const;
    for (const [status, text, answer] of bodies) {
      expect(answer).toMatchObject({ status, text });
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
  });

  it('believes only what is signed, whole and in time', async () => {
    const demo = await startDemo();
    const body = '{"a":1}';
    const post = (headers: Record<string, string>, text = body) =>
      call(demo.webhookUrl, headers, text);
    const faults = [
      await post({}),
      await post(key),
      await post(signed(body, { secret: 'other' })),
      await post(signed(body), '{"a":2}'),
      await post({ ...signed(body), 'x-service-webhook-expiration': String(nowUnix + 301) }),
      await post(signed(body, { expiration: String(nowUnix - 1) })),
      await post(signed(body, { expiration: 'soon' })),
    ];
    expect(faults.map((each) => each.status)).toEqual(faults.map(() => 401));
    expect(demo.verified).toHaveLength(0);
    expect(await post(signed(body, { expiration: String(nowUnix) }))).toMatchObject({
      status: 200,
      text: '{"detail":"Event delivered successfully"}',
    });
    expect(demo.verified).toHaveLength(1);
  });

  it('accepts a further secret as soon as it is issued', async () => {
    const demo = await startDemo();
    demo.secrets.unshift('next-secret');
    const headers = signed('{}', { secret: 'next-secret' });
    expect((await call(demo.webhookUrl, headers)).status).toBe(200);
  });

  it('takes an event once, and acknowledges it again', async () => {
    const demo = await startDemo();
    for (const id of ['a', 'b', 'a', 'a']) {
      expect((await call(demo.webhookUrl, signed('{}', { id }))).status).toBe(200);
    }
    expect(demo.verified.map((each) => each.deduplicationId)).toEqual(['a', 'b']);
  });

  it('lists the last 50 events, the latest first', async () => {
    const demo = await startDemo();
    for (let n = 0; n < 52; n += 1) {
      const body = `{"n":${n}}`;
      await call(demo.webhookUrl, signed(body, { id: `id-${n}` }), body);
    }
    const listed = JSON.parse((await call(`${demo.origin}/received`, {}, '', 'GET')).text);
    expect(listed).toHaveLength(50);
    expect(listed[0]).toEqual({
      deduplicationId: 'id-51',
      type: 'retry_result',
      receivedAt: now.toISOString(),
      event: { n: 51 },
    });
  });

  it('refuses what is too large, and what it does not know', async () => {
    const demo = await startDemo();
    const large = 'a'.repeat(70_000);
    expect((await call(demo.webhookUrl, signed(large), large)).status).toBe(413);
    expect((await call(demo.webhookUrl, signed('no JSON'), 'no JSON')).status).toBe(500);
    expect((await call(`${demo.origin}/`, key)).status).toBe(404);
    expect((await call(`${demo.origin}/retry/`, key)).status).toBe(404);
    expect((await call(`${demo.origin}/retry/in_1`, key, '', 'GET')).status).toBe(404);
  });

  it('says when its port is taken', async () => {
    const demo = await startDemo();
    const again = startDemoMerchant({
      clock: { now: () => now },
      apiKey: 'k',
      signingSecrets: () => [],
      port: Number(new URL(demo.origin).port),
    });
    await expect(again).rejects.toThrow(AppError);
    await expect(again).rejects.toMatchObject({ code: 'port_taken' });
  });
});
