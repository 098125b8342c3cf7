import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paymentExample } from '../../../src/http/recovery/intake/payment-example.ts';
import { paymentView } from '../../kits/payment-views.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

const routes = [
  ['POST', '/recover/payment_method_updates'],
  ['POST', '/recover/payments'],
  ['GET', '/recover/payments/in_1'],
  ['GET', '/recover/payments'],
  ['POST', '/recover/payments/in_1/retry'],
  ['POST', '/recover/payments/in_1/stop'],
  ['GET', '/recover/requests/x'],
  ['GET', '/recover/events'],
  ['POST', '/recover/events/evt_1/redeliver'],
  ['GET', '/recover/statements'],
  ['GET', '/recover/statements/2026-06-01'],
] as const;

/** What an answer's body may be, by its status. 500 is none of them: nobody's input may cause one. */
function expectKnownAnswer(status: number, body: string): void {
  const json = JSON.parse(body) as Record<string, unknown>;
  if (status === 200) return;
  if (status === 400) {
    expect(Object.keys(json)).toEqual(['message', 'errors']);
    expect(json.message).toBe('Invalid request body');
    const errors = json.errors as Record<string, unknown>[];
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(Object.values(error)).toEqual([expect.any(String)]);
    }
    return;
  }
  if (status === 404) {
    expect(Object.keys(json)).toEqual(['message']);
    expect(json.message).toMatch(
      /^(Method\/Path combination|Payment|Request|Event|Statement) not found\.$/,
    );
    return;
  }
  expect([403, 415]).toContain(status);
  expect(Object.keys(json)).toEqual(['message', 'errors']);
  expect(json.errors).toEqual(expect.any(String));
}

/** The example with one value replaced by another, somewhere. */
const mutated = fc
  .tuple(fc.nat(), fc.oneof(fc.jsonValue(), fc.constant(undefined)))
  .map(([place, replacement]) => {
    let count = 0;
    return JSON.stringify(paymentExample, (_key, value: unknown) => {
      count += 1;
      return count === 2 + (place % 35) ? replacement : value;
    });
  });

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  mutated.map((text) => Buffer.from(text)),
  fc
    .dictionary(
      fc.constantFrom(
        'customer_id',
        'psp_customer_id',
        'payment_method_id',
        'reason',
        'retry_at',
        'x',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    .map((value) => Buffer.from(JSON.stringify(value))),
);

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
});

test('any body in any type is answered as documented, and never with 500', async () => {
  const { app, api, lines } = testServer();
  api.payments.set('in_1', paymentView('in_1'));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      payload,
      fc.oneof(
        { weight: 4, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: headerText },
      ),
      fc.boolean(),
      async ([method, url], body, type, isKnown) => {
        const headers = { 'content-type': type, 'x-api-key': isKnown ? apiKey : 'rk_unknown' };
        const answer = await app.inject({ method, url, headers, payload: body });
        expectKnownAnswer(answer.statusCode, answer.body);
        expect(answer.headers['content-type']).toBe('application/json');
      },
    ),
    { numRuns: 1_500 },
  );
  expect(lines.filter((line) => line.level === 'error')).toEqual([]);
});

test('any path, query and header are answered as documented, and never with 500', async () => {
  const { app, lines } = testServer();
  const part = fc.oneof(
    fc.constantFrom(
      'recover',
      'payments',
      'events',
      'requests',
      'retry',
      '..',
      '',
      '%',
      '%00',
      '%zz',
      '%ff',
    ),
    fc
      .string({ unit: 'binary', maxLength: 8 })
      .map((text) => encodeURIComponent(text.toWellFormed())),
    fc.webSegment(),
  );
  const path = fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
  const query = fc.webQueryParameters();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'),
      fc.oneof(path, fc.constant('/recover/payments'), fc.constant('/recover/events')),
      query,
      fc.dictionary(
        fc.constantFrom(
          'idempotency-key',
          'request-id',
          'content-encoding',
          'accept',
          'expect',
          'accept-version',
        ),
        headerText,
      ),
      async (method, url, search, headers) => {
        const answer = await app.inject({
          method: method as 'GET',
          url: `${url}?${search}`,
          headers: { 'x-api-key': apiKey, ...headers },
        });
        expectKnownAnswer(answer.statusCode, answer.body);
      },
    ),
    { numRuns: 1_500 },
  );
  expect(lines.filter((line) => line.level === 'error')).toEqual([]);
});
