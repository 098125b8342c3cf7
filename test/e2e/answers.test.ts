import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectionStringOf } from '../kits/data-dirs.ts';
import { hasAnswers, rawExchange } from '../kits/raw-http.ts';
import { type Service, useServices } from '../kits/service.ts';

const services = useServices();
let service: Service;
beforeAll(async () => {
  service = await services.start();
});

const path = '/recover/payment_method_updates';
const update = '{"customer_id":"cus_1","payment_method_id":"pm_1","reason":"user_added"}';
const json = 'Content-Type: application/json';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  /** Header lines beside Host and Content-Length; `<key>` in them is the merchant's API key. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** The status line and the body as they came over the wire, for a request written by hand. */
async function answerTo(sent: Sent): Promise<readonly [statusLine: string, body: string]> {
  const { body = '', headers = ['x-api-key: <key>', json] } = sent;
  const { host, port } = new URL(service.recoveryUrl);
  const head = [
    `${sent.method ?? 'POST'} ${sent.path ?? path} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map((line) => line.replace('<key>', service.apiKey)),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = `${head.join('\r\n')}\r\n\r\n${body}`;
  const { text } = await rawExchange(Number(port), bytes, hasAnswers(1));
  const [answerHead = '', answerBody = ''] = text.split('\r\n\r\n');
  expect(answerHead).toMatch(/\r\ncontent-type: application\/json\r\n/i);
  expect(answerHead).toMatch(new RegExp(`\r\ncontent-length: ${answerBody.length}\r\n`, 'i'));
  return [answerHead.split('\r\n')[0] ?? '', answerBody];
}

const badRequest = 'HTTP/1.1 400 Bad Request';
const forbidden = [
  'HTTP/1.1 403 Forbidden',
  '{"message":"Forbidden","errors":"Invalid API Key"}',
] as const;
const notFound = [
  'HTTP/1.1 404 Not Found',
  '{"message":"Method/Path combination not found."}',
] as const;
const unsupported = [
  'HTTP/1.1 415 Unsupported Media Type',
  '{"message":"Unsupported Media Type","errors":"Content-Type must be application/json"}',
] as const;

describe('200', () => {
  test.each([
    update,
    '{"psp_customer_id":"cus_psp_1","payment_method_id":"pm_1"}',
    '{"customer_id":"cus_1","payment_method_id":"pm_1","something":"else"}',
  ])('acknowledges %s', async (body) => {
    const [status, answer] = await answerTo({ body });
    expect(status).toBe('HTTP/1.1 200 OK');
    expect(answer).toMatch(
      /^\{"message":"Request submitted for processing","request_id":"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:\d{56}:\d{12}"\}$/,
    );
  });
});

describe('400', () => {
  test.each([
    ['{}', '[{"customer_id":"Field required"},{"payment_method_id":"Field required"}]'],
    ['{"payment_method_id":"pm_1"}', '[{"customer_id":"Field required"}]'],
    [
      '{"customer_id":"c","payment_method_id":"p","reason":"moved"}',
      `[{"reason":"Input should be 'user_added', 'user_removed', 'user_updated' or 'network_updated'"}]`,
    ],
    [
      '{"customer_id":7,"payment_method_id":null}',
      '[{"customer_id":"Input should be a valid string"},{"payment_method_id":"Input should be a valid string"}]',
    ],
    ['{"customer_id":', '[{"body":"Input should be valid JSON"}]'],
  ])('lists every fault of %s', async (body, errors) => {
    const message = `{"message":"Invalid request body","errors":${errors}}`;
    expect(await answerTo({ body })).toEqual([badRequest, message]);
  });

  test.each([
    ['an array', '[]'],
    ['a key given twice', '{"customer_id":"a","customer_id":"b","payment_method_id":"p"}'],
    ['NUL', '{"customer_id":"a\\u0000","payment_method_id":"p"}'],
    ['a long string', `{"customer_id":"${'a'.repeat(256)}","payment_method_id":"p"}`],
    ['a large body', `{"customer_id":"${'a'.repeat(65 * 1024)}","payment_method_id":"p"}`],
    ['deep nesting', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['nothing', ''],
  ])('is the answer to %s', async (_name, body) => {
    const [status, answer] = await answerTo({ body });
    expect(status).toBe(badRequest);
    expect(JSON.parse(answer)).toEqual({
      message: 'Invalid request body',
      errors: expect.arrayContaining([expect.any(Object)]),
    });
  });
});

describe('403', () => {
  test.each([
    ['no key', [json]],
    ['an unknown key', [json, 'x-api-key: rk_test_unknown']],
    ['an empty key', [json, 'x-api-key: ']],
    ['a wrong key and another type', ['Content-Type: text/plain', 'x-api-key: nobody']],
  ])('is the answer to %s', async (_name, headers) => {
    expect(await answerTo({ headers, body: update })).toEqual(forbidden);
    expect(await answerTo({ headers, path: '/recover/payments', body: '{}' })).toEqual(forbidden);
  });
});

describe('404', () => {
  test.each([
    ['GET', path],
    ['PUT', path],
    ['OPTIONS', path],
    ['POST', `${path}/`],
    ['POST', '/Recover/payment_method_updates'],
    ['POST', '/'],
    ['DELETE', '/recover/payments'],
    ['BREW', path],
  ])('is the answer to %s %s, with a key and without', async (method, at) => {
    const sent = { method, path: at, body: update };
    expect(await answerTo(sent)).toEqual(notFound);
    expect(await answerTo({ ...sent, headers: [json] })).toEqual(notFound);
  });
});

describe('415', () => {
  test.each([
    ['none', []],
    ['text', ['Content-Type: text/plain']],
    ['a form', ['Content-Type: application/x-www-form-urlencoded']],
    ['another JSON', ['Content-Type: application/vnd.api+json']],
    ['a name that only begins so', ['Content-Type: application/jsonp']],
  ])('is the answer to a content type of %s', async (_name, headers) => {
    const keyed = ['x-api-key: <key>', ...headers];
    expect(await answerTo({ headers: keyed, body: update })).toEqual(unsupported);
    const at = '/recover/payments';
    expect(await answerTo({ headers: keyed, path: at, body: '{}' })).toEqual(unsupported);
  });

  test('is none to parameters and capitals', async () => {
    const headers = ['x-api-key: <key>', 'Content-Type: Application/JSON; charset=utf-8'];
    expect((await answerTo({ headers, body: update }))[0]).toBe('HTTP/1.1 200 OK');
  });
});

describe('the disputes listener', () => {
  test('is where the operator is told that each PSP sends its webhooks', async () => {
    const { operatorUrl, operatorToken, merchantId, disputesUrl } = service;
    const headers = { authorization: `Bearer ${operatorToken}` };
    const answer = await fetch(`${operatorUrl}/api/merchants/${merchantId}`, { headers });
    const { psps } = (await answer.json()) as { psps: { psp: string; webhook_url: string }[] };
    const url = `${disputesUrl}/v1/psp/sandbox/webhooks/${merchantId}`;
    expect(psps).toEqual([{ psp: 'sandbox', webhook_url: url }]);
    const refused = await fetch(url, { method: 'POST', body: '{}' });
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { detail: 'The webhook has no valid signature for this account.' },
    ]);
    const events = await fetch(`${operatorUrl}/api/merchants/${merchantId}/psp-events`, {
      headers,
    });
    expect(await events.json()).toEqual({ items: [] });
    const metrics = await (await fetch(`${operatorUrl}/metrics`)).text();
    expect(metrics).toContain('recoup_psp_webhooks_total{psp="sandbox",result="unverified"} 1');
    const path = '/v1/psp/:psp/webhooks/:merchant_id';
    expect(metrics).toContain(`{api="disputes",method="POST",route="${path}",status="401"} 1`);
  });
});

test('500 tells nothing of the inside, and ends with its cause', async () => {
  const client = new pg.Client({ connectionString: await connectionStringOf(service.dataDir) });
  await client.connect();
  try {
    await client.query('alter table requests rename to requests_away');
    expect(await answerTo({ body: update })).toEqual([
      'HTTP/1.1 500 Internal Server Error',
      '{"message":"Internal Server Error","errors":"Something went wrong on our side. Please try again later."}',
    ]);
    await client.query('alter table requests_away rename to requests');
  } finally {
    await client.end();
  }
  expect((await answerTo({ body: update }))[0]).toBe('HTTP/1.1 200 OK');
});
