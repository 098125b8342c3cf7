import { describe, expect, test } from 'vitest';
import {
  createDeduplicate,
  createMemoryStore,
  doNotRetry,
  invoiceNotFound,
  type RetryDecision,
  rateLimited,
  retry,
  retryStatusHandler,
  type WebhookEvent,
  webhookHandler,
} from '../../sdk/src/index.ts';
import { type SignedWebhook, signedWebhook, webhookSecret } from '../kits/signed-webhook.ts';

const address = 'https://shop.example/webhooks/retry-results';

function requestOf({ body, headers }: SignedWebhook): Request {
  return new Request(address, { method: 'POST', body, headers });
}

async function answer(answering: Promise<Response>) {
  const response = await answering;
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe('deduplication', () => {
  test('an id is kept after its work succeeded, so failed work is done again', async () => {
    const once = createDeduplicate(createMemoryStore());
    const done: string[] = [];
    const failing = once('evt_1', () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    expect(await once('evt_1', () => void done.push('first'))).toBe('handled');
    expect(await once('evt_1', () => void done.push('second'))).toBe('duplicate');
    expect(done).toEqual(['first']);
  });

  test('deliveries that overlap share one run, and its failure', async () => {
    const once = createDeduplicate(createMemoryStore());
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const work = () => {
      runs += 1;
      return gate.promise;
    };
    const both = Promise.allSettled([once('evt_1', work), once('evt_1', work)]);
    gate.reject(new Error('cut off'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
  });

  test('the store in memory forgets the oldest beyond its size', () => {
    const store = createMemoryStore({ maxIds: 2 });
    for (const id of ['a', 'b', 'c']) store.add(id);
    expect(['a', 'b', 'c'].map((id) => store.has(id))).toEqual([false, true, true]);
  });
});

describe('the webhook handler', () => {
  test('answers 200 only after the work is done, and to a duplicate without doing it again', async () => {
    const events: WebhookEvent[] = [];
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const handler = webhookHandler({
      secrets: async () => [webhookSecret],
      onEvent: async (event) => {
        started.resolve();
        await gate.promise;
        events.push(event);
      },
    });
    let isAnswered = false;
    const first = handler(requestOf(signedWebhook())).finally(() => {
      isAnswered = true;
    });
    await started.promise;
    expect(isAnswered).toBe(false);
    gate.resolve();
    expect(await answer(first)).toMatchObject({
      status: 200,
      body: { detail: 'Event delivered successfully' },
    });
    expect((await handler(requestOf(signedWebhook()))).status).toBe(200);
    expect(events.map(({ id }) => id)).toEqual(['evt_1']);
  });

  test('answers 500 where the work failed, says so, and does it at the next delivery', async () => {
    const errors: unknown[] = [];
    let tries = 0;
    const handler = webhookHandler({
      secrets: webhookSecret,
      onEvent: () => {
        tries += 1;
        if (tries === 1) throw new Error('password of the database');
      },
      onError: (error) => errors.push(error),
    });
    expect(await answer(handler(requestOf(signedWebhook())))).toMatchObject({
      status: 500,
      body: { detail: 'Server is unavailable' },
    });
    expect(errors).toEqual([new Error('password of the database')]);
    expect((await handler(requestOf(signedWebhook()))).status).toBe(200);
    expect(tries).toBe(2);
  });

  test('refuses what is not genuine, too large, or no POST, and never runs the work', async () => {
    const ran: unknown[] = [];
    const handler = webhookHandler({
      secrets: webhookSecret,
      onEvent: (event) => void ran.push(event),
      maxBytes: 1000,
      auth: { type: 'api_key', apiKey: ['old-key', 'new-key'] },
    });
    const withKey = (webhook: SignedWebhook, key = 'new-key') =>
      handler(requestOf({ ...webhook, headers: { ...webhook.headers, 'x-api-key': key } }));
    expect((await withKey(signedWebhook({ secrets: ['another'] }))).status).toBe(401);
    expect((await withKey(signedWebhook({ sentAtMs: 0 }))).status).toBe(401);
    expect((await withKey(signedWebhook(), 'wrong-key')).status).toBe(401);
    expect((await withKey(signedWebhook({ data: { fill: 'x'.repeat(1000) } }))).status).toBe(413);
    expect((await handler(new Request(address))).status).toBe(405);
    expect(ran).toEqual([]);
    expect((await withKey(signedWebhook(), 'old-key')).status).toBe(200);
    expect(ran).toHaveLength(1);
  });

  test('a secret that is not found is our own fault: 500, so that the event comes again', async () => {
    const errors: unknown[] = [];
    const handler = webhookHandler({
      secrets: () => '',
      onEvent: () => undefined,
      onError: (error) => errors.push(error),
    });
    expect((await handler(requestOf(signedWebhook()))).status).toBe(500);
    expect(errors).toMatchObject([{ reason: 'no_secret' }]);
  });
});

const advice = 'If it comes from an environment variable, set that first.';
/** What JavaScript gives for a variable that nobody set. */
const unset = undefined as unknown as string;
const noKey = { type: 'api_key', apiKey: unset } as const;
const noPassword = { type: 'basic', username: 'u', password: unset } as const;

test.each<[string, () => unknown]>([
  ['secrets', () => webhookHandler({ secrets: unset, onEvent() {} })],
  ['secrets', () => webhookHandler({ secrets: [''], onEvent() {} })],
  ['auth.apiKey', () => webhookHandler({ secrets: 's', auth: noKey, onEvent() {} })],
  ['auth.apiKey', () => retryStatusHandler({ auth: noKey, decide: () => retry() })],
  ['auth.password', () => retryStatusHandler({ auth: noPassword, decide: () => retry() })],
])('a server without its %s does not start', (name, start) => {
  expect(start).toThrow(new TypeError(`${name} is missing or empty. ${advice}`));
});

describe('the retry-status handler', () => {
  const ask = (
    decide: (question: { invoiceId: string }) => RetryDecision,
    path = '/retry/in_1',
    init: RequestInit = { body: '{"custom":{"plan":"gold"}}' },
  ) =>
    answer(
      retryStatusHandler({ auth: { type: 'none' }, decide })(
        new Request(`https://shop.example${path}`, { method: 'POST', ...init }),
      ),
    );

  test.each<[string, RetryDecision, number, object]>([
    ['retry', retry(), 200, { retry: true, reason: 'Invoice open' }],
    [
      'retry with terms',
      retry({ reason: 'Reduced', amount: 9.99, payment_methods: [{ id: 'pm_2' }] }),
      200,
      { retry: true, reason: 'Reduced', amount: 9.99, payment_methods: [{ id: 'pm_2' }] },
    ],
    ['no', doNotRetry('User Cancelation'), 200, { retry: false, reason: 'User Cancelation' }],
    [
      'not found',
      invoiceNotFound(),
      404,
      { detail: 'An invoice with the provided ID cannot be found' },
    ],
    ['limited', rateLimited(60), 429, { detail: 'Requests have exceeded rate limiting' }],
  ])('%s', async (_name, decision, status, body) => {
    const given = await ask(() => decision);
    expect([given.status, given.body]).toEqual([status, body]);
    expect(given.headers.get('retry-after')).toBe(status === 429 ? '60' : null);
    expect(given.headers.get('content-type')).toBe('application/json');
  });

  test('the question has the invoice, decoded, and the custom fields', async () => {
    const asked: unknown[] = [];
    const decide = (question: object) => {
      asked.push(question);
      return retry();
    };
    await ask(decide, '/retry/in%2F1%20%E2%82%AC?x=1');
    await ask(decide, '/retry/in_2', {});
    expect(asked).toEqual([
      { invoiceId: 'in/1 €', custom: { plan: 'gold' } },
      { invoiceId: 'in_2', custom: {} },
    ]);
    expect((await ask(decide, '/retry/%ff')).status).toBe(404);
    expect((await ask(decide, '/retry/')).status).toBe(404);
    expect((await ask(decide, '/retry/in_3', { body: '{' })).status).toBe(400);
    expect(asked).toHaveLength(2);
  });

  test('a decision that is none is no yes: 500', async () => {
    const broken: unknown[] = [
      undefined,
      true,
      { retry: true, reason: 'not from the SDK' },
      { kind: 'retry' },
      { kind: 'retry', reason: 'x', amount: 0 },
      { kind: 'retry', reason: 'x', amount: Number.NaN },
      { kind: 'rate_limited', retryAfterSeconds: 1.5 },
    ];
    for (const decision of broken) {
      expect(await ask(() => decision as RetryDecision)).toMatchObject({
        status: 500,
        body: { detail: 'A server error has occurred' },
      });
    }
  });

  test('credentials are checked before anything is looked up', async () => {
    const decide = () => {
      throw new Error('looked up');
    };
    const call = (
      auth: Parameters<typeof retryStatusHandler>[0]['auth'],
      headers: Record<string, string>,
    ) =>
      retryStatusHandler({ auth, decide })(
        new Request('https://shop.example/retry/in_1', { method: 'POST', headers }),
      );
    const basic = { type: 'basic', username: 'recoup', password: 'pässwörd' } as const;
    const right = `Basic ${Buffer.from('recoup:pässwörd').toString('base64')}`;
    const refused = await call(basic, { authorization: `${right}x` });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="recoup", charset="UTF-8"',
    ]);
    expect((await call(basic, {})).status).toBe(401);
    // 500: the credentials held, and the look-up failed.
    expect((await call(basic, { authorization: right })).status).toBe(500);
    const key = { type: 'api_key', apiKey: 'key' } as const;
    expect((await call(key, {})).status).toBe(401);
    // The next key of a rotation may be absent; that lets nobody in.
    const rotated = { type: 'api_key', apiKey: ['key', '', unset] } as const;
    expect((await call(rotated, { 'x-api-key': '' })).status).toBe(401);
    expect((await call(rotated, {})).status).toBe(401);
    expect((await call(key, { 'x-api-key': 'key' })).status).toBe(500);
  });
});
