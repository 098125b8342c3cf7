import { describe, expect, it, onTestFinished } from 'vitest';
import type { MerchantSecrets } from '../../src/domain/merchant.ts';
import {
  createMerchantClient,
  type MerchantClientSettings,
} from '../../src/merchant/merchant-client.ts';
import { deduplicationId } from '../../src/merchant/signature.ts';
import type { WebhookRequest, WebhookResult } from '../../src/recovery/merchant-ports.ts';
import { type FakeAnswer, type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';

const sentAt = new Date('2026-03-01T12:00:00.900Z');
const secrets: MerchantSecrets = {
  auth: { type: 'api_key', api_key: 'canary-api-key' },
  signingSecrets: ['canary-newest', 'canary-older'],
};
const event = {
  eventId: 'evt_0a1b2c3d4e5f6g7h8j9k0m1n',
  type: 'retry_result',
  // Spaces, escapes and order must arrive as they are.
  body: '{ "b": 1.50, "a": "\\u00e9 é 😀" }',
};

async function startFake(): Promise<FakeMerchant> {
  const fake = await startFakeMerchant({ signingSecret: 'canary-older', now: () => sentAt });
  onTestFinished(() => fake.close());
  return fake;
}

async function send(
  fake: FakeMerchant,
  request: Partial<WebhookRequest> = {},
  settings: Partial<MerchantClientSettings> = {},
): Promise<WebhookResult> {
  const client = createMerchantClient({
    allow: ['127.0.0.1/32'],
    timeoutMs: 5000,
    elapsedMs: () => performance.now(),
    clock: { now: () => sentAt },
    ...settings,
  });
  onTestFinished(() => client.close());
  return await client.sendWebhook({
    url: fake.webhookUrl,
    secrets,
    sentAt,
    ...event,
    ...request,
  });
}

describe('a webhook', () => {
  it('carries the frozen bytes, the four headers and the merchant’s own key', async () => {
    const fake = await startFake();
    expect(await send(fake)).toMatchObject({ kind: 'delivered', status: 200 });
    const call = await fake.nextWebhook();
    expect(call.rawBody.toString('utf8')).toBe(event.body);
    expect(call).toMatchObject({ method: 'POST', isSigned: true, isExpired: false });
    expect(call.headers).toMatchObject({
      'content-type': 'application/json',
      'x-api-key': 'canary-api-key',
      'x-service-webhook-type': 'retry_result',
      'x-service-webhook-expiration': '1772366700',
      'x-service-webhook-deduplication-id': deduplicationId(event.eventId),
      'webhook-id': event.eventId,
      'webhook-timestamp': '1772366400',
    });
    expect(call.headers['x-service-webhook-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(call.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  });

  it('carries the endpoint’s own headers, and none of them instead of ours', async () => {
    const fake = await startFake();
    const headers = { 'x-team': 'payments', 'content-type': 'text/plain', 'x-api-key': 'other' };
    await send(fake, { headers });
    const call = await fake.nextWebhook();
    expect(call.headers).toMatchObject({
      'x-team': 'payments',
      'content-type': 'application/json',
      'x-api-key': 'canary-api-key',
    });
  });

  it('is valid as long as the setting says', async () => {
    const fake = await startFake();
    await send(fake, {}, { signatureValidityMs: 60_000 });
    const { headers } = await fake.nextWebhook();
    expect(headers['x-service-webhook-expiration']).toBe('1772366460');
  });

  it('says the real time by Standard Webhooks, where the service’s clock was moved', async () => {
    const fake = await startFake();
    await send(fake, {}, { machine: { now: () => new Date('2026-02-01T00:00:00Z') } });
    const { headers } = await fake.nextWebhook();
    expect(headers['webhook-timestamp']).toBe('1769904000');
    expect(headers['x-service-webhook-expiration']).toBe('1772366700');
  });

  it('is signed afresh each time, under the same id', async () => {
    const fake = await startFake();
    await send(fake);
    await send(fake, { sentAt: new Date('2026-03-02T00:00:00Z') });
    const [first, second] = fake.webhooks;
    expect(second?.isSigned).toBe(true);
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(second?.deduplicationId).toBe(first?.deduplicationId);
    const of = (name: string) => [first?.headers[name], second?.headers[name]];
    for (const name of ['x-service-webhook-expiration', 'x-service-webhook-signature']) {
      expect(new Set(of(name)).size).toBe(2);
    }
  });

  it('is told apart by the fake from one that another secret signed or that is late', async () => {
    const fake = await startFake();
    await send(fake, { secrets: { ...secrets, signingSecrets: ['canary-newest'] } });
    await send(fake, { sentAt: new Date(sentAt.getTime() - 301_000) });
    expect(fake.webhooks).toMatchObject([
      { isSigned: false, isExpired: false },
      { isSigned: true, isExpired: true },
    ]);
  });

  it('knows Basic credentials and none', async () => {
    const fake = await startFake();
    const auth = { type: 'basic', username: 'u', password: 'p' } as const;
    await send(fake, { secrets: { ...secrets, auth } });
    await send(fake, { secrets: { ...secrets, auth: { type: 'none' } } });
    expect(fake.webhooks[0]?.headers.authorization).toBe(`Basic ${btoa('u:p')}`);
    expect(fake.webhooks[1]?.headers).not.toHaveProperty('authorization');
  });

  it('is a broken promise of ours without a signing secret', async () => {
    const fake = await startFake();
    const none = { ...secrets, signingSecrets: [] };
    await expect(send(fake, { secrets: none })).rejects.toThrow('Invariant broken');
  });
});

describe('an acknowledgement', () => {
  it.each<[string, FakeAnswer]>([
    ['an empty body', { body: '' }],
    ['no JSON', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['a huge body', { kind: 'huge', bytes: 1e9, chunked: true }],
    ['half a body', { kind: 'cut', body: '{"detail":"Event"}', sentBytes: 5 }],
  ])('is status 200 with %s', async (_words, answer) => {
    const fake = await startFake();
    fake.answerWebhooks(answer);
    expect(await send(fake)).toMatchObject({ kind: 'delivered', status: 200 });
  });

  it.each<[number, string]>([
    [201, 'unexpected_status'],
    [202, 'unexpected_status'],
    [204, 'unexpected_status'],
    [301, 'redirect'],
    [302, 'redirect'],
    [308, 'redirect'],
    [400, 'unexpected_status'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'unexpected_status'],
    [410, 'unexpected_status'],
    [429, 'unexpected_status'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('is not status %i', async (status, cause) => {
    const fake = await startFake();
    fake.answerWebhooks({ status, body: { detail: 'Server is unavailable' } });
    const result = await send(fake);
    expect(result).toMatchObject({ kind: 'failed', status, cause });
    expect(result.kind === 'failed' && result.detail).toContain(String(status));
  });

  it.each<[FakeAnswer, string]>([
    [{ kind: 'hang' }, 'timeout'],
    [{ kind: 'drip_head' }, 'timeout'],
    [{ kind: 'destroy' }, 'connection_failed'],
  ])('is not %j', async (answer, cause) => {
    const fake = await startFake();
    fake.answerWebhooks(answer);
    const timeoutMs = cause === 'timeout' ? 80 : 5_000;
    const result = await send(fake, {}, { timeoutMs });
    expect(result).toMatchObject({ kind: 'failed', cause });
    expect(result).not.toHaveProperty('status');
  });
});

describe('a failure', () => {
  it('tells no secret, and no body in its words, whatever the server echoes', async () => {
    const fake = await startFake();
    const echo = `canary-api-key canary-newest ${event.body}`;
    fake.answerWebhooks(
      ...[400, 401, 500, 302].map((status) => ({
        status,
        body: echo,
        headers: { location: '/c' },
      })),
    );
    for (let call = 0; call < 4; call += 1) {
      const result = await send(fake);
      expect(JSON.stringify(result)).not.toContain('canary');
      expect(result.kind === 'failed' && result.detail).not.toContain('1.50');
    }
  });

  it.each<[string, FakeAnswer, string | undefined]>([
    ['what the server said', { status: 500, body: { detail: 'No' } }, '{"detail":"No"}'],
    ['the beginning of much', { kind: 'huge', status: 500, bytes: 60_000, chunked: true }, 'x'],
    [
      'what came before it broke',
      { kind: 'cut', status: 500, body: 'Sorry!', sentBytes: 5 },
      'Sorry',
    ],
    [
      'nothing of what is compressed',
      { status: 500, headers: { 'content-encoding': 'br' } },
      undefined,
    ],
    ['nothing where nothing was said', { status: 500, body: '' }, undefined],
  ])('keeps %s', async (_words, answer, said) => {
    const fake = await startFake();
    fake.answerWebhooks(answer);
    const result = await send(fake);
    expect(result).toMatchObject({ kind: 'failed', status: 500 });
    const kept = result.kind === 'failed' ? result.answer : undefined;
    if (said === 'x') expect(kept).toHaveLength(1_000);
    else expect(kept).toBe(said);
  });

  it('for credentials that no header can carry is made without a call', async () => {
    const fake = await startFake();
    const auth = { type: 'api_key', api_key: 'canary\nx: y' } as const;
    const result = await send(fake, { secrets: { ...secrets, auth } });
    expect(result).toMatchObject({ kind: 'failed', cause: 'unauthorized', durationMs: 0 });
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(fake.webhooks).toHaveLength(0);
  });

  it('for an address inside our network is made without a call', async () => {
    const fake = await startFake();
    const result = await send(fake, {}, { allow: [] });
    expect(result).toMatchObject({ kind: 'failed', cause: 'address_refused' });
    expect(fake.webhooks).toHaveLength(0);
  });
});
