import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Merchant, MerchantSecrets } from '../../../src/domain/merchant.ts';
import type { JsonObject } from '../../../src/domain/payment.ts';
import { createMerchantClient } from '../../../src/merchant/merchant-client.ts';
import { readRetryStatusAnswer } from '../../../src/merchant/retry-status/retry-status-answer.ts';
import type { RetryStatusAnswer } from '../../../src/recovery/merchant-ports.ts';
import { type FakeAnswer, type FakeMerchant, startFakeMerchant } from '../../kits/fake-merchant.ts';
import { merchantAt } from '../merchant-at.ts';

const now = new Date('2026-03-01T12:00:00Z');
const secrets: MerchantSecrets = {
  auth: { type: 'api_key', api_key: 'canary-api-key' },
  signingSecrets: ['canary-signing-secret'],
};

interface Asked {
  readonly fake: FakeMerchant;
  readonly answer: RetryStatusAnswer;
}

interface Question {
  readonly secrets?: MerchantSecrets;
  readonly invoiceId?: string;
  readonly custom?: JsonObject;
  readonly timeoutMs?: number;
  readonly merchant?: Partial<Merchant>;
}

/** One question to a fake that answers as told. */
async function ask(answer: FakeAnswer, question: Question = {}): Promise<Asked> {
  const fake = await startFakeMerchant();
  fake.answerLookups(answer);
  const client = createMerchantClient({
    allow: ['127.0.0.1/32'],
    timeoutMs: question.timeoutMs ?? 5000,
    elapsedMs: () => performance.now(),
    clock: { now: () => now },
  });
  onTestFinished(async () => {
    await client.close();
    await fake.close();
  });
  return {
    fake,
    answer: await client.askRetryStatus({
      merchant: { ...merchantAt(fake), ...question.merchant },
      secrets: question.secrets ?? secrets,
      invoiceId: question.invoiceId ?? 'in_1',
      ...(question.custom === undefined ? {} : { custom: question.custom }),
    }),
  };
}

const answerTo = async (answer: FakeAnswer, question?: Question): Promise<RetryStatusAnswer> =>
  (await ask(answer, question)).answer;

const ok = (body: unknown): FakeAnswer => ({ body });
const yes = { retry: true, reason: 'Invoice open' };

describe('the question', () => {
  it('names the invoice in its path, encoded, and carries the key', async () => {
    const { fake } = await ask(ok(yes), { invoiceId: 'in/1 ü?' });
    expect(fake.lookups).toMatchObject([
      {
        method: 'POST',
        path: '/retry/in%2F1%20%C3%BC%3F',
        invoiceId: 'in/1 ü?',
        headers: {
          'x-api-key': 'canary-api-key',
          'content-type': 'application/json',
          accept: 'application/json',
        },
      },
    ]);
  });

  it('sends the custom fields, or an empty object', async () => {
    const custom = { plan: 'gold', deep: { n: [1.5, null] } };
    const { fake } = await ask(ok(yes), { custom });
    expect(fake.lookups[0]?.rawBody.toString()).toBe(JSON.stringify({ custom }));
    const without = await ask(ok(yes));
    expect(without.fake.lookups[0]?.rawBody.toString()).toBe('{}');
  });

  it('knows Basic credentials and none', async () => {
    const auth = { type: 'basic', username: 'us er', password: 'pä:ss' } as const;
    const basic = await ask(ok(yes), { secrets: { ...secrets, auth } });
    const header = basic.fake.lookups[0]?.headers.authorization ?? '';
    expect(Buffer.from(header.replace('Basic ', ''), 'base64').toString()).toBe('us er:pä:ss');
    const none = await ask(ok(yes), { secrets: { ...secrets, auth: { type: 'none' } } });
    expect(none.fake.lookups[0]?.headers).not.toHaveProperty('authorization');
    expect(none.fake.lookups[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('is not put where the id or the key cannot be carried', async () => {
    const dots = await ask(ok(yes), { invoiceId: '..' });
    expect(dots.answer).toMatchObject({ kind: 'no_answer', cause: 'address_refused' });
    const auth = { type: 'api_key', api_key: 'canary\r\nx-other: 1' } as const;
    const split = await ask(ok(yes), { secrets: { ...secrets, auth } });
    expect(split.answer).toMatchObject({ kind: 'no_answer', cause: 'unauthorized' });
    expect(JSON.stringify(split.answer)).not.toContain('canary');
    expect([...dots.fake.lookups, ...split.fake.lookups]).toHaveLength(0);
  });
});

describe('a yes', () => {
  it('needs no more than retry and reason', async () => {
    expect(await answerTo(ok(yes))).toEqual({ kind: 'retry', reason: 'Invoice open' });
  });

  it('may say everything', async () => {
    const answer = await answerTo(
      ok({
        ...yes,
        amount: 12.23,
        metadata: { order: { n: 7 } },
        unknown: 'ignored',
        payment_methods: [
          {
            id: 'pm_1',
            network_transaction_id: 'nt_1',
            bin: '424242',
            token: {
              id: 'tok_1',
              expiration_month: '03',
              expiration_year: '29',
              card_validation_number: '987',
            },
            billing_address: {
              name: 'Jo Doe',
              city: 'Berlin',
              state: 'BE',
              zip: '10115',
              phone: '+49301',
              planet: 'ignored',
            },
          },
          { id: 'pm_2' },
        ],
      }),
    );
    expect(answer).toMatchObject({
      kind: 'retry',
      reason: 'Invoice open',
      amount: 12.23,
      metadata: { order: { n: 7 } },
      paymentMethods: [
        {
          id: 'pm_1',
          networkTransactionId: 'nt_1',
          bin: '424242',
          token: { id: 'tok_1', expirationMonth: '03', expirationYear: '29' },
        },
        { id: 'pm_2' },
      ],
    });
    const methods = answer.kind === 'retry' ? answer.paymentMethods : undefined;
    expect(methods?.[0]?.billingAddress).toEqual({
      name: 'Jo Doe',
      city: 'Berlin',
      state: 'BE',
      zip: '10115',
      phone: '+49301',
    });
    expect(methods?.[0]?.token?.cardCode?.reveal()).toBe('987');
  });

  it('keeps the card code out of everything that writes', async () => {
    const method = { token: { card_validation_number: '98765' } };
    const answer = await answerTo(ok({ ...yes, payment_methods: [method] }));
    expect(inspect(answer, { depth: 9, showHidden: true })).not.toContain('98765');
    expect(() => JSON.stringify(answer)).toThrow('never written');
  });

  it('with an empty list of methods says that none can be used', async () => {
    expect(await answerTo(ok({ ...yes, payment_methods: [] }))).toMatchObject({
      kind: 'retry',
      paymentMethods: [],
    });
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;v=1'])(
    'may come as %s',
    async (type) => {
      const answer = await answerTo({ body: yes, headers: { 'content-type': type } });
      expect(answer.kind).toBe('retry');
    },
  );
});

describe('a no', () => {
  it('stops with its reason', async () => {
    const reason = 'Dunning Window Reached';
    expect(await answerTo(ok({ retry: false, reason }))).toEqual({ kind: 'do_not_retry', reason });
  });

  it('is a no whatever else stands beside it', async () => {
    const answer = await answerTo(ok({ retry: false, reason: 'Other', amount: 'x' }));
    expect(answer).toEqual({ kind: 'do_not_retry', reason: 'Other' });
  });

  it.each([
    ['a number that is not kept exactly', '"metadata":{"ref":12345678901234567890}'],
    ['an amount without end', '"amount":1e999'],
    ['a NUL character', '"metadata":{"note":"a\\u0000"}'],
    ['a lone surrogate', '"payment_methods":[{"id":"\\ud800"}]'],
    ['a field given twice', '"amount":1,"amount":2'],
    ['deep nesting', `"metadata":{"a":${'['.repeat(50)}${']'.repeat(50)}}`],
  ])('is a no beside %s, which no yes may hold', async (_words, field) => {
    const no = await answerTo(ok(`{"retry":false,"reason":"Other",${field}}`));
    expect(no).toEqual({ kind: 'do_not_retry', reason: 'Other' });
    const other = await answerTo(ok(`{"retry":true,"reason":"Other",${field}}`));
    expect(other).toMatchObject({ kind: 'no_answer', cause: 'malformed' });
  });

  it('that is a yes may have nulls for what is optional', async () => {
    const nulls = { amount: null, metadata: null, payment_methods: null };
    const answer = await answerTo(ok({ retry: true, reason: 'open', ...nulls }));
    expect(answer).toEqual({ kind: 'retry', reason: 'open' });
    const methods = [{ id: 'pm_1', token: null, bin: null, billing_address: { name: null } }];
    expect(await answerTo(ok({ retry: true, reason: 'open', payment_methods: methods }))).toEqual({
      kind: 'retry',
      reason: 'open',
      paymentMethods: [{ id: 'pm_1', billingAddress: {} }],
    });
  });

  it('keeps no card number of its words, and sends none on', async () => {
    const pan = '4111 1111 1111 1111';
    expect(await answerTo(ok({ retry: false, reason: `card ${pan}` }))).toEqual({
      kind: 'do_not_retry',
      reason: 'card **** **** **** 1111',
    });
    const answer = await answerTo(ok({ retry: true, reason: pan, metadata: { pan, [pan]: 1 } }));
    expect(JSON.stringify(answer)).not.toContain('4111 1111');
  });

  it('keeps its reason clean and short', async () => {
    const reason = `line\u0007\n\u009b ${'é'.repeat(600)}`;
    const answer = await answerTo(ok({ retry: false, reason }));
    expect(answer).toEqual({
      kind: 'do_not_retry',
      reason: `line  ${'é'.repeat(494)}`,
    });
  });
});

describe('an answer that is not valid', () => {
  it.each<[string, unknown, string]>([
    ['no object', [yes], 'the answer must be object'],
    ['null', null, 'the answer must be object'],
    ['an empty object', {}, 'must have required property'],
    ['a missing reason', { retry: true }, "must have required property 'reason'"],
    ['a missing retry', { reason: 'x' }, "must have required property 'retry'"],
    ['retry as text', { retry: 'true', reason: 'x' }, '/retry must be boolean'],
    ['retry as number', { retry: 1, reason: 'x' }, '/retry must be boolean'],
    ['retry as null', { retry: null, reason: 'x' }, '/retry must be boolean'],
    ['reason as number', { retry: true, reason: 5 }, '/reason must be string'],
    ['amount as text', { ...yes, amount: '12' }, '/amount must be number'],
    [
      'a card for an id',
      { ...yes, payment_methods: [{ id: '4111111111111111' }] },
      '/payment_methods/0/id must be an id, not the number of a card',
    ],
    ['amount 0', { ...yes, amount: 0 }, '/amount must be > 0'],
    ['amount below 0', { ...yes, amount: -1 }, '/amount must be > 0'],
    ['amount without end', '{"retry":true,"reason":"x","amount":1e999}', 'Number is too large'],
    ['metadata as list', { ...yes, metadata: [] }, '/metadata must be object'],
    ['methods as object', { ...yes, payment_methods: {} }, '/payment_methods must be array'],
    ['a method as text', { ...yes, payment_methods: ['pm'] }, '/payment_methods/0 must be object'],
    ['a method id as number', { ...yes, payment_methods: [{ id: 1 }] }, '/payment_methods/0/id'],
    ['an empty method id', { ...yes, payment_methods: [{ id: '' }] }, 'fewer than 1 char'],
    ['a long method id', { ...yes, payment_methods: [{ id: 'a'.repeat(256) }] }, 'more than 255'],
    ['a token as text', { ...yes, payment_methods: [{ token: 't' }] }, '/token must be object'],
    [
      'a card code as number',
      { ...yes, payment_methods: [{ token: { card_validation_number: 987123 } }] },
      '/card_validation_number must be string',
    ],
    [
      'a zip as number',
      { ...yes, payment_methods: [{ billing_address: { zip: 1 } }] },
      '/zip must',
    ],
    ['half of it', '{"retry":true,"rea', 'should be valid JSON'],
    ['a key twice', '{"retry":false,"retry":true,"reason":"x"}', 'Field given more than once'],
    ['nothing', '', 'it is empty'],
  ])('%s', async (_words, body, fault) => {
    const answer = await answerTo(ok(body));
    expect(answer).toMatchObject({ kind: 'no_answer', cause: 'malformed' });
    expect(answer.kind === 'no_answer' && answer.detail).toContain(fault);
    expect(JSON.stringify(answer)).not.toContain('987123');
  });

  it.each(['text/html', 'application/problem+json', 'application/jsonp', ''])(
    'is one of type %j',
    async (type) => {
      const answer = await answerTo({ body: yes, headers: { 'content-type': type } });
      expect(answer).toMatchObject({ kind: 'no_answer', cause: 'wrong_type' });
    },
  );
});

describe('every status', () => {
  it.each<[number, unknown, Partial<RetryStatusAnswer>]>([
    [401, 'Missing or invalid api key', { kind: 'no_answer', cause: 'unauthorized' }],
    [403, 'Forbidden', { kind: 'no_answer', cause: 'unauthorized' }],
    [429, 'Requests have exceeded rate limiting', { kind: 'rate_limited' }],
    [500, 'A server error has occurred', { kind: 'no_answer', cause: 'server_error' }],
    [502, 'x', { kind: 'no_answer', cause: 'server_error' }],
    [503, 'x', { kind: 'no_answer', cause: 'server_error' }],
    [504, 'x', { kind: 'no_answer', cause: 'server_error' }],
    [301, 'x', { kind: 'no_answer', cause: 'redirect' }],
    [307, 'x', { kind: 'no_answer', cause: 'redirect' }],
    [201, 'x', { kind: 'no_answer', cause: 'unexpected_status' }],
    [204, 'x', { kind: 'no_answer', cause: 'unexpected_status' }],
    [400, 'x', { kind: 'no_answer', cause: 'unexpected_status' }],
    [405, 'x', { kind: 'no_answer', cause: 'unexpected_status' }],
    [410, 'x', { kind: 'no_answer', cause: 'unexpected_status' }],
    [422, 'x', { kind: 'no_answer', cause: 'unexpected_status' }],
  ])('%i', async (status, detail, expected) => {
    expect(await answerTo({ status, body: { detail } })).toMatchObject(expected);
  });

  it.each([
    'An invoice with the provided ID cannot be found',
    'No Invoice matches the given query.',
    'No endpoint of billing knows this invoice.',
    'Not Found: in_1',
  ])('404 with the merchant’s words is an invoice that was not found: %s', async (detail) => {
    const answer = await answerTo({ status: 404, body: { detail } });
    expect(answer).toEqual({ kind: 'not_found', detail });
  });

  it.each([
    ['<html>Not Found</html>'],
    [{ detail: 'Not Found' }],
    [{ title: 'Not Found', status: 404, detail: 'No static resource retry/in_1.' }],
    [{ detail: "No static resource retry/in_1 for request '/retry/in_1'." }],
    [{ title: 'Not Found', status: 404, detail: 'No endpoint POST /retry/in_1.' }],
    [
      {
        detail:
          'The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.',
        status: 404,
      },
    ],
    [{ detail: 'No route found for "POST https://merchant.example/retry/in_1"' }],
    [{}],
    [{ detail: 5 }],
    [[]],
    ['"detail"'],
    ['null'],
    [''],
  ])('404 with %j is a wrong address, and only postpones', async (body) => {
    const answer = await answerTo({ status: 404, body });
    expect(answer).toMatchObject({ kind: 'no_answer', cause: 'unexpected_status' });
  });

  it('429 honours Retry-After, as seconds or as a date', async () => {
    const waits = async (retryAfter: string): Promise<RetryStatusAnswer> =>
      answerTo({ status: 429, headers: { 'retry-after': retryAfter } });
    expect(await waits('30')).toEqual({ kind: 'rate_limited', retryAfterMs: 30_000 });
    expect(await waits('Sun, 01 Mar 2026 13:00:00 GMT')).toEqual({
      kind: 'rate_limited',
      retryAfterMs: 3_600_000,
    });
    expect(await waits('later')).toEqual({ kind: 'rate_limited' });
  });

  it('with a header that stands twice says nothing by it', async () => {
    const type = ['application/json', 'text/html'];
    expect(await answerTo({ body: yes, headers: { 'content-type': type } })).toMatchObject({
      kind: 'no_answer',
      cause: 'wrong_type',
    });
    const limited = { status: 429, headers: { 'retry-after': ['5', '9'] } };
    expect(await answerTo(limited)).toEqual({ kind: 'rate_limited' });
  });

  it('a redirect to a yes is no yes', async () => {
    const { fake, answer } = await ask({ status: 302, headers: { location: '/retry/in_2' } });
    expect(answer).toMatchObject({ kind: 'no_answer', cause: 'redirect' });
    expect(fake.lookups).toHaveLength(1);
  });
});

describe('a server that misbehaves', () => {
  it.each<[FakeAnswer, string]>([
    [{ kind: 'hang' }, 'timeout'],
    [{ kind: 'drip_head' }, 'timeout'],
    [{ kind: 'drip_body' }, 'timeout'],
    [{ body: yes, delayMs: 60_000 }, 'timeout'],
  ])('%j runs into the deadline', async (answer, cause) => {
    expect(await answerTo(answer, { timeoutMs: 60 })).toMatchObject({ kind: 'no_answer', cause });
  });

  it.each<[FakeAnswer, string]>([
    [{ kind: 'huge', bytes: 1e9, chunked: true }, 'too_large'],
    [{ kind: 'huge', bytes: 70_000 }, 'too_large'],
    [{ kind: 'cut', body: JSON.stringify(yes), sentBytes: 13 }, 'connection_failed'],
    [{ kind: 'destroy' }, 'connection_failed'],
    [{ body: yes, headers: { 'content-encoding': 'gzip' } }, 'wrong_type'],
  ])('%j is no answer', async (answer, cause) => {
    expect(await answerTo(answer)).toMatchObject({ kind: 'no_answer', cause });
  });

  it('at an address inside our network is never called', async () => {
    const retryStatusUrl = 'https://169.254.169.254/latest/{invoice_id}';
    const answer = await answerTo(ok(yes), { merchant: { retryStatusUrl } });
    expect(answer).toMatchObject({ kind: 'no_answer', cause: 'address_refused' });
  });
});

describe('credentials', () => {
  const basic = { type: 'basic', username: 'user', password: 'canary-password' } as const;
  const encoded = Buffer.from('user:canary-password').toString('base64');

  it('are in no answer, though the server echoes them', async () => {
    const echo = `canary-api-key canary-signing-secret canary-password ${encoded}`;
    const answers: FakeAnswer[] = [
      ok({ retry: false, reason: echo }),
      ok({ ...yes, reason: echo }),
      ok(echo),
      { body: echo, headers: { 'content-type': echo } },
      ...[401, 404, 429, 500, 302, 418].map((status) => ({ status, body: { detail: echo } })),
    ];
    for (const answer of answers) {
      for (const auth of [secrets.auth, basic]) {
        const text = JSON.stringify(await answerTo(answer, { secrets: { ...secrets, auth } }));
        const sent = auth.type === 'basic' ? ['canary-password', encoded] : ['canary-api-key'];
        for (const secret of [...sent, 'canary-signing-secret']) expect(text).not.toContain(secret);
      }
    }
  });
});

describe('any answer', () => {
  const kinds = ['retry', 'do_not_retry', 'not_found', 'rate_limited', 'no_answer'];
  const field = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom<unknown>(true, false, 'x', 12.5, [{ id: 'pm' }], [{ token: { id: 't' } }]),
  );
  const body = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc
      .record(
        {
          retry: field,
          reason: field,
          amount: field,
          metadata: field,
          payment_methods: field,
          detail: field,
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary' }),
  );
  const status = fc.oneof(fc.constantFrom(200, 404, 429), fc.integer({ min: 100, max: 999 }));

  const header = fc.oneof(
    fc.constantFrom<string | string[] | undefined>('application/json', undefined),
    fc.string(),
    fc.array(fc.string(), { minLength: 2, maxLength: 3 }),
  );

  it('is one member of the union, and a retry only with an explicit yes', () => {
    fc.assert(
      fc.property(status, body, header, header, (code, text, type, retryAfter) => {
        const headers = { 'content-type': type, 'retry-after': retryAfter };
        const bytes = Buffer.from(text);
        const answer = readRetryStatusAnswer({ status: code, headers, body: bytes }, secrets, now);
        expect(kinds).toContain(answer.kind);
        if (answer.kind !== 'retry') return;
        expect(code).toBe(200);
        expect(JSON.parse(text)).toMatchObject({ retry: true });
        expect(typeof answer.reason).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });
});
