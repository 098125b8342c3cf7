import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '../../sdk/src/index.ts';
import { signedWebhook, webhookSecret, without } from '../kits/signed-webhook.ts';

const sentAtMs = Date.parse('2026-03-01T12:00:00Z');
const own = 'x-service-webhook-';
const standard = 'webhook-';

async function faultOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WebhookError)) throw new Error('no WebhookError');
  expect(error.action.length).toBeGreaterThan(20);
  return error.reason;
}

test("the documentation's test vector holds, by each scheme alone and by both", async () => {
  const doc = readFileSync(`${import.meta.dirname}/../../docs/verifying-webhooks.md`, 'utf8');
  const [, body = ''] = /```json\n(.*)\n```/.exec(doc) ?? [];
  const row = (name: string) => new RegExp(`\\| .?${name}.? \\| \`(.*)\` \\|`).exec(doc)?.[1] ?? '';
  const headers = {
    'X-Service-Webhook-Type': 'retry_result',
    'X-Service-Webhook-Expiration': row('X-Service-Webhook-Expiration'),
    'X-Service-Webhook-Signature': row('X-Service-Webhook-Signature'),
    'X-Service-Webhook-Deduplication-ID': row('X-Service-Webhook-Deduplication-ID'),
  };
  const standards = {
    'webhook-id': row('webhook-id'),
    'webhook-timestamp': row('webhook-timestamp'),
    'webhook-signature': row('webhook-signature'),
  };
  const secret = row('signing secret');
  const now = { nowMs: Number(standards['webhook-timestamp']) * 1000 };
  const byOwn = await verifyWebhook(body, headers, secret, now);
  expect(byOwn).toMatchObject({ type: 'retry_result', id: 'fa1b92fb3f3ef24f41e9c1fa714d76e2' });
  const byStandard = await verifyWebhook(body, standards, secret, now);
  expect(byStandard).toMatchObject({ type: 'other', id: 'evt_0a1b2c3d4e5f6g7h8j9k0m1n' });
  const byBoth = await verifyWebhook(body, new Headers({ ...headers, ...standards }), secret, now);
  if (byBoth.type !== 'retry_result') throw new Error('not typed');
  expect(byBoth.id).toBe('evt_0a1b2c3d4e5f6g7h8j9k0m1n');
  expect(byBoth.data.psp_transactions?.[0]?.psp_transaction_id).toBe('ch_5002');
});

test('a body may be a text, bytes or a buffer of them, with letters of any script', async () => {
  const { body, headers } = signedWebhook({ data: { invoice_id: 'Ünï-発票-🧾' }, sentAtMs });
  const bytes = new TextEncoder().encode(body);
  for (const rawBody of [body, bytes, Buffer.from(body), new Uint8Array(bytes).buffer]) {
    const event = await verifyWebhook(rawBody, headers, webhookSecret, { nowMs: sentAtMs });
    expect(event.data).toEqual({ invoice_id: 'Ünï-発票-🧾' });
  }
});

test('end_of_dunning is typed, a kind that is not known keeps its name', async () => {
  const data = { invoice_id: 'in_1', recovered: false };
  const ended = signedWebhook({ type: 'end_of_dunning', data });
  expect(await verifyWebhook(ended.body, ended.headers, webhookSecret)).toMatchObject({
    type: 'end_of_dunning',
    data,
  });
  const waiting = signedWebhook({
    type: 'customer_action_required',
    data: { what_helps: 'new_payment_method' },
  });
  expect(await verifyWebhook(waiting.body, waiting.headers, webhookSecret)).toMatchObject({
    type: 'customer_action_required',
    data: { what_helps: 'new_payment_method' },
  });
  const found = signedWebhook({ type: 'incident', data: { kind: 'two_successes' } });
  expect(await verifyWebhook(found.body, found.headers, webhookSecret)).toMatchObject({
    type: 'incident',
    data: { kind: 'two_successes' },
  });
  const later = signedWebhook({ type: 'of_next_year' });
  expect(await verifyWebhook(later.body, later.headers, webhookSecret)).toMatchObject({
    type: 'other',
    name: 'of_next_year',
  });
});

describe('while a secret is rotated', () => {
  const secrets = ['the-old-secret', 'the-new-secret'];

  test.each([
    ['the old one', ['the-old-secret']],
    ['both, in any order', ['the-new-secret', 'the-old-secret']],
    ['the new one', ['the-new-secret']],
  ])('a receiver that knows %s takes it', async (_name, known) => {
    const { body, headers } = signedWebhook({ secrets, sentAtMs });
    const event = await verifyWebhook(body, headers, known, { nowMs: sentAtMs });
    expect(event.id).toBe('evt_1');
  });

  test('one that knows neither does not', async () => {
    const { body, headers } = signedWebhook({ secrets, sentAtMs });
    const verifying = verifyWebhook(body, headers, ['another'], { nowMs: sentAtMs });
    expect(await faultOf(verifying)).toBe('wrong_signature');
  });
});

describe('time', () => {
  const { body, headers } = signedWebhook({ sentAtMs, validForSeconds: 60 });
  const at = (nowMs: number, use = headers) => verifyWebhook(body, use, webhookSecret, { nowMs });

  test('the last second is valid, the next is not, though the other scheme would allow it', async () => {
    expect((await at(sentAtMs + 60_000)).type).toBe('retry_result');
    expect(await faultOf(at(sentAtMs + 60_001))).toBe('expired');
  });

  test('an expiration that has passed refuses, though its own signature says nothing', async () => {
    const rotated = signedWebhook({
      secrets: ['old', webhookSecret],
      sentAtMs,
      validForSeconds: 60,
    });
    const verifying = (nowMs: number) =>
      verifyWebhook(rotated.body, rotated.headers, webhookSecret, { nowMs });
    expect((await verifying(sentAtMs + 60_000)).id).toBe('evt_1');
    expect(await faultOf(verifying(sentAtMs + 60_001))).toBe('expired');
    const unsigned = without(headers, `${own}signature`);
    expect((await at(sentAtMs + 60_000, unsigned)).id).toBe('evt_1');
    expect(await faultOf(at(sentAtMs + 60_001, unsigned))).toBe('expired');
  });

  test('Standard Webhooks alone hold for five minutes to either side', async () => {
    const alone = without(headers, own);
    expect((await at(sentAtMs + 300_000, alone)).id).toBe('evt_1');
    expect((await at(sentAtMs - 300_000, alone)).id).toBe('evt_1');
    expect(await faultOf(at(sentAtMs + 300_001, alone))).toBe('expired');
    expect(await faultOf(at(sentAtMs - 300_001, alone))).toBe('expired');
  });
});

describe('what is refused', () => {
  const { body, headers } = signedWebhook({ sentAtMs });
  const verify = (
    rawBody: string,
    use: Record<string, string | string[]>,
    secret = webhookSecret,
  ) => verifyWebhook(rawBody, use, secret, { nowMs: sentAtMs });

  test('no secret, no headers, headers that are malformed or stand twice', async () => {
    expect(await faultOf(verify(body, headers, ''))).toBe('no_secret');
    const unset = [undefined] as unknown as string;
    expect(await faultOf(verify(body, headers, unset))).toBe('no_secret');
    expect(await faultOf(verify(body, {}))).toBe('missing_headers');
    const alone = without(headers, standard);
    const signature = `${own}signature`;
    expect(await faultOf(verify(body, { ...alone, [signature]: 'zz' }))).toBe('malformed_header');
    expect(await faultOf(verify(body, { ...alone, [`${own}expiration`]: 'soon' }))).toBe(
      'malformed_header',
    );
    const twice = { ...alone, [signature]: [headers[signature] ?? '', headers[signature] ?? ''] };
    expect(await faultOf(verify(body, twice))).toBe('missing_headers');
    expect(await faultOf(verify(body, without(alone, `${own}deduplication`)))).toBe(
      'missing_headers',
    );
  });

  test('an object that a parser made', async () => {
    const parsed = JSON.parse(body);
    expect(await faultOf(verify(parsed, headers))).toBe('body_not_raw');
  });

  test('a genuine body that is no JSON object', async () => {
    const list = signedWebhook({ data: [], sentAtMs });
    expect(await faultOf(verify(list.body, list.headers))).toBe('malformed_body');
  });

  test('the deduplication id of a webhook whose own id is signed cannot be forged', async () => {
    const forged = { ...headers, [`${own}deduplication-id`]: 'f'.repeat(32) };
    expect((await verify(body, forged)).id).toBe('evt_1');
  });

  test('an id that nobody signed is not taken: the deduplication id is', async () => {
    const alone = without(headers, standard);
    const { id } = await verify(body, alone);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const forged = { ...alone, 'webhook-id': 'evt_forged' };
    expect((await verify(body, forged)).id).toBe(id);
    const wrong = { ...headers, 'webhook-id': 'evt_forged' };
    expect((await verify(body, wrong)).id).toBe(id);
  });

  test('any change of the body, the expiration, the id or the time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(body.length - 1),
        fc.integer({ min: 1, max: 1000 }),
        fc.constantFrom('body', 'expiration', 'id', 'timestamp'),
        async (at, change, part) => {
          const code = body.charCodeAt(at) ^ (change % 31 || 1);
          const changed = body.slice(0, at) + String.fromCharCode(code) + body.slice(at + 1);
          const more = (name: string) => String(Number(headers[name]) + change);
          const verifying = {
            body: () => verify(changed, headers),
            expiration: () =>
              verify(body, {
                ...without(headers, standard),
                [`${own}expiration`]: more(`${own}expiration`),
              }),
            id: () => verify(body, { ...without(headers, own), 'webhook-id': `evt_${change + 1}` }),
            timestamp: () =>
              verify(body, {
                ...without(headers, own),
                'webhook-timestamp': more('webhook-timestamp'),
              }),
          };
          expect(await faultOf(verifying[part]())).toBe('wrong_signature');
        },
      ),
      { numRuns: 100 },
    );
  });

  test('nothing of the body or the secret stands in an error', async () => {
    const error = await verify(body, headers, 'another-secret').catch((reason) => reason);
    const text = `${error.stack} ${JSON.stringify(error)}`;
    for (const word of ['in_1', 'another-secret', headers[`${own}signature`] ?? '']) {
      expect(text).not.toContain(word);
    }
  });
});
