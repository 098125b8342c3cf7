import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ClientOptions,
  createDisputesClient,
  createRecoveryClient,
  RecoupApiError,
  RecoupConnectionError,
  type recovery,
} from '../../sdk/src/index.ts';

interface Call {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse, call: Call) => void;

/** What the service answers, in order; each call takes the next one. */
let answers: Answer[] = [];
let calls: Call[] = [];
let waitsMs: number[] = [];
let baseUrl = '';
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const call = { line: `${method} ${url}`, headers, body: await text(request) };
  calls.push(call);
  answers.shift()?.(response, call);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.closeAllConnections());
afterAll(() => void server.close());
beforeEach(() => {
  [answers, calls, waitsMs] = [[], [], []];
});

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

const cut: Answer = (response) => void response.destroy();
const hang: Answer = () => undefined;
const unavailable = json(503, { message: 'Service Unavailable' });

const options: ClientOptions = {
  random: () => 0.5,
  nowMs: () => Date.parse('2026-03-01T12:00:00Z'),
  sleep: async (delayMs) => void waitsMs.push(delayMs),
};
const recoveryClient = (own: ClientOptions = {}) =>
  createRecoveryClient({ baseUrl: `${baseUrl}/`, apiKey: 'rk_1', ...options, ...own });
const disputesClient = (own: ClientOptions = {}) =>
  createDisputesClient({ baseUrl, username: 'mer_1', password: 'dp_ü', ...options, ...own });

const update: recovery.ReportPaymentMethodUpdateBody = {
  customer_id: 'cus_1',
  payment_method_id: 'pm_1',
};
const accepted = json(200, { message: 'Request submitted for processing', request_id: 'req_1' });

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  );
}

describe('a call', () => {
  test('sends the credentials, the ids and the body', async () => {
    answers = [accepted];
    const given = await recoveryClient().reportPaymentMethodUpdate(update, { requestId: 'my-1' });
    expect(given.request_id).toBe('req_1');
    expect(calls).toMatchObject([
      {
        line: 'POST /recover/payment_method_updates',
        headers: {
          'x-api-key': 'rk_1',
          'content-type': 'application/json',
          'request-id': 'my-1',
          'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
        body: JSON.stringify(update),
      },
    ]);
  });

  test('encodes ids and queries, and refuses an id that no address can carry', async () => {
    answers = [json(200, {}), json(200, { payments: [] }), json(200, {})];
    await recoveryClient().showPayment('in/1 €$&');
    await recoveryClient().listPayments({ customer_id: 'a&b', limit: 2 });
    await recoveryClient().stopPayment('in_1', { reason: 'Cancelled' });
    expect(calls.map(({ line }) => line)).toEqual([
      'GET /recover/payments/in%2F1%20%E2%82%AC%24%26',
      'GET /recover/payments?customer_id=a%26b&limit=2',
      'POST /recover/payments/in_1/stop',
    ]);
    expect(await errorOf(recoveryClient().showPayment('..'))).toBeInstanceOf(TypeError);
  });

  test('the disputes API knows its caller by Basic, in UTF-8', async () => {
    answers = [json(200, { status: 'OK' })];
    expect(await disputesClient().ping()).toEqual({ status: 'OK' });
    const credentials = Buffer.from('mer_1:dp_ü').toString('base64');
    expect(calls[0]?.headers.authorization).toBe(`Basic ${credentials}`);
  });
});

describe('repetition', () => {
  test('after 503, a cut connection and 429: one key, waits that grow or are asked for', async () => {
    const limited = json(429, { message: 'Too Many Requests' }, { 'retry-after': '7' });
    answers = [unavailable, cut, limited, accepted];
    await recoveryClient().reportPaymentMethodUpdate(update);
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(waitsMs).toEqual([250, 500, 8000]);
  });

  test('Retry-After may be a date; one that is too far is the caller’s to wait for', async () => {
    const at = (date: string) => json(503, {}, { 'retry-after': date });
    answers = [at('Sun, 01 Mar 2026 12:00:30 GMT'), at('Sun, 01 Mar 2026 13:00:00 GMT')];
    const error = await errorOf(recoveryClient().showPayment('in_1'));
    expect(waitsMs).toEqual([30_250]);
    expect(error).toMatchObject({ code: 'server_error', retryAfterMs: 3_600_000 });
  });

  test('ends after the given tries with the last error', async () => {
    answers = Array.from({ length: 9 }, () => unavailable);
    await errorOf(recoveryClient({ retries: 2 }).showPayment('in_1'));
    expect(calls).toHaveLength(3);
  });

  test('an option that is undefined is one that was left out', async () => {
    const unset = undefined as never;
    answers = Array.from({ length: 9 }, () => unavailable);
    const sleep = async (delayMs: number) => {
      if (waitsMs.push(delayMs) > 3) expect.fail('it goes on');
    };
    const endless = recoveryClient({ retries: unset, sleep }).showPayment('in_1');
    expect(await errorOf(endless)).toMatchObject({ code: 'server_error' });
    answers = [(response, call) => setTimeout(() => json(200, {})(response, call), 40)];
    await recoveryClient({ retries: 0, timeoutMs: unset, fetch: unset }).showPayment('in_1');
  });

  test("a proxy's own status for a service that it does not reach is followed by another try", async () => {
    answers = [json(521, {}), accepted];
    await recoveryClient().reportPaymentMethodUpdate(update);
    expect(calls).toHaveLength(2);
  });

  test('what the request is to blame for is not repeated', async () => {
    answers = [json(400, { message: 'Invalid request body', errors: [] })];
    await errorOf(recoveryClient().reportPaymentMethodUpdate(update));
    expect(calls).toHaveLength(1);
  });

  test('a conflict is repeated where it names a wait', async () => {
    answers = [json(409, {}, { 'retry-after': '1' }), accepted];
    await recoveryClient().reportPaymentMethodUpdate(update);
    answers = [json(409, { message: 'Conflict', errors: 'The payment has ended.' })];
    expect(await errorOf(recoveryClient().retryPayment('in_1'))).toMatchObject({
      code: 'conflict',
    });
    expect(calls).toHaveLength(3);
  });

  test('a time-out is a connection error, and is repeated', async () => {
    answers = [hang, hang];
    // Counted where they leave: on a busy machine a try may end before the server has seen it.
    let tries = 0;
    const counted: typeof fetch = (...given) => {
      tries += 1;
      return fetch(...given);
    };
    const client = recoveryClient({ timeoutMs: 40, retries: 1, fetch: counted });
    const error = await errorOf(client.showPayment('in_1'));
    expect(error).toBeInstanceOf(RecoupConnectionError);
    expect(error).toMatchObject({ code: 'timeout', action: expect.stringMatching(/baseUrl/) });
    expect(tries).toBe(2);
  });

  test('a time-out is one too where the runtime rejects with a copy of the reason', async () => {
    const fetch = async (_url: string, { signal }: RequestInit) => {
      if (signal) await once(signal, 'abort');
      throw new Error('Error: a copy that crossed a border');
    };
    const late = recoveryClient({ timeoutMs: 1, retries: 1, fetch }).showPayment('in_1');
    expect(await errorOf(late)).toBeInstanceOf(RecoupConnectionError);
    await expect(late).rejects.toMatchObject({ code: 'timeout' });
    expect(waitsMs).toHaveLength(1);
  });

  test("the caller's own abort ends it with their reason, also while it waits", async () => {
    const controller = new AbortController();
    answers = [unavailable];
    const { sleep: _, ...timed } = options;
    // Drawn just before the wait begins.
    const random = () => {
      queueMicrotask(() => controller.abort(new Error('enough')));
      return 0.99;
    };
    const client = createRecoveryClient({ baseUrl, apiKey: 'rk_1', ...timed, random });
    const failed = errorOf(client.showPayment('in_1', { signal: controller.signal }));
    expect(await failed).toEqual(new Error('enough'));
  });
});

describe('errors', () => {
  test('of a client without its key or address: at once', () => {
    const unset = undefined as unknown as string;
    expect(() => createRecoveryClient({ baseUrl, apiKey: unset })).toThrow(/^apiKey is missing/);
    expect(() => createRecoveryClient({ baseUrl: '', apiKey: 'rk_1' })).toThrow(
      /^baseUrl is missing/,
    );
    const user = { baseUrl, username: 'mer_1' };
    expect(() => createDisputesClient({ ...user, password: '' })).toThrow(/^password is missing/);
  });

  test('of the recovery API: code, faults, request id', async () => {
    const errors = [{ 'customer.id': 'Field required' }];
    answers = [json(400, { message: 'Invalid request body', errors }, { 'request-id': 'req_9' })];
    const error = await errorOf(recoveryClient().reportPaymentMethodUpdate(update));
    expect(error).toBeInstanceOf(RecoupApiError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: 'req_9',
      faults: [{ where: 'customer.id', text: 'Field required' }],
      message: 'Invalid request body; customer.id: Field required [invalid_request, status 400]',
    });
  });

  test('of the disputes API', async () => {
    const detail = [{ loc: ['body', 'psp'], msg: 'Field required', type: 'missing' }];
    answers = [json(422, { detail })];
    expect(await errorOf(disputesClient().listDisputes())).toMatchObject({
      code: 'invalid_request',
      faults: [{ where: 'body.psp', text: 'Field required' }],
    });
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not_found'],
    [410, 'gone'],
    [413, 'too_large'],
    [415, 'unsupported_media_type'],
    [422, 'idempotency_key_reused'],
    [302, 'unexpected_answer'],
  ])('%s is %s', async (status, code) => {
    answers = [json(status, { message: 'No', errors: 'No' }, { location: '/elsewhere' })];
    const error = await errorOf(recoveryClient().reportPaymentMethodUpdate(update));
    expect(error).toMatchObject({ code, status });
    expect(calls).toHaveLength(1);
  });

  test('a page instead of JSON', async () => {
    answers = [(response) => void response.end('<h1>Welcome</h1>')];
    expect(await errorOf(recoveryClient().showPayment('in_1'))).toMatchObject({
      code: 'unexpected_answer',
    });
  });
});

test('an iterator fetches a page when it is needed, and keeps the filters', async () => {
  const page = (ids: readonly string[], next?: string) =>
    json(200, {
      events: ids.map((event_id) => ({ event_id })),
      ...(next === undefined ? {} : { next_cursor: next }),
    });
  answers = [page(['a', 'b'], '2&'), page(['c'])];
  const seen: string[] = [];
  for await (const { event_id } of recoveryClient().iterateEvents({ limit: 2 })) {
    if (event_id === 'b') expect(calls).toHaveLength(1);
    seen.push(event_id);
  }
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(calls.map(({ line }) => line)).toEqual([
    'GET /recover/events?limit=2',
    'GET /recover/events?limit=2&cursor=2%26',
  ]);
});

describe('a batch of analytics records', () => {
  const analyticsRecord = (charge_id: string) =>
    ({
      customer_email: 'jane@example.com',
      ipv4_address: '8.8.4.4',
      psp: 'stripe',
      charge_id,
    }) as const;
  const analyticsRecords = ['ch_1', 'ch_2', 'ch_3'].map(analyticsRecord);
  const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`);
  const collect = async (own: ClientOptions = {}) => {
    const results: unknown[] = [];
    for await (const result of disputesClient(own).createAnalyticsBatch(analyticsRecords)) {
      results.push(result);
    }
    return results;
  };

  test('goes on where a broken connection, and a limit, ended the answers', async () => {
    const detail = [{ loc: ['body', 'psp'], msg: 'Bad', type: 'enum' }];
    answers = [
      (response) => {
        response.write(`${lines({ row: 1, id: 'ana_1' })}{"row":2,"i`, () => response.destroy());
      },
      (response) =>
        void response.end(lines({ row: 2, detail }, { row: 3, detail: 'Try again.' }).join('')),
      (response) => void response.end(lines({ row: 3, id: 'ana_3' }).join('')),
    ];
    expect(await collect()).toEqual([
      { row: 1, id: 'ana_1' },
      { row: 2, detail },
      { row: 3, id: 'ana_3' },
    ]);
    expect(calls.map(({ line }) => line)).toEqual(
      [1, 2, 3].map((row) => `POST /v1/analytics/batch?from_row=${row}`),
    );
    expect(calls[2]?.body).toBe(lines(...analyticsRecords).join(''));
    expect(calls[2]?.headers['content-type']).toBe('application/x-ndjson');
  });

  test('ends with the error when it does not get any further', async () => {
    answers = Array.from({ length: 9 }, () => unavailable);
    expect(await errorOf(collect({ retries: 1 }))).toMatchObject({ code: 'server_error' });
    expect(calls).toHaveLength(2);
  });
});
