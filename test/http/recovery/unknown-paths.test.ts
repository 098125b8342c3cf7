import { describe, expect, test } from 'vitest';
import { firstAnswer, hasAnswers, rawExchange } from '../../kits/raw-http.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

const notFound = '{"message":"Method/Path combination not found."}';

const unknown = [
  ['GET', '/'],
  ['GET', '/recover'],
  ['GET', '/recover/payment_method_updates'],
  ['GET', '/recover/payments/'],
  ['GET', '/recover/payments/in_1/'],
  ['GET', '/recover/payments/in_1/retry'],
  ['GET', '/recover//payments'],
  ['GET', '//recover/payments'],
  ['GET', '/Recover/payments'],
  ['GET', '/recover/payments%2Fin_1'],
  ['GET', '/recover%2Fpayments'],
  ['GET', '/recover/payments/%'],
  ['GET', '/recover/payments/%zz'],
  ['GET', '/recover/payments/%ff'],
  ['GET', '/recover/payments/%c0%80'],
  ['GET', '/recover/./payments/../payments/in_1/x'],
  ['GET', '/recover/requests/'],
  ['GET', '/recover/requests'],
  ['GET', '/recover/payments;a=b'],
  ['POST', '/recover/payments/'],
  ['POST', '/recover/payments/in_1'],
  ['POST', '/recover/payments//retry'],
  ['POST', '/recover/payments//stop'],
  ['POST', '/recover/events'],
  ['POST', '/recover/events//redeliver'],
  ['POST', '/recover/payment_method_updates/'],
  ['PUT', '/recover/payments'],
  ['PATCH', '/recover/payments/in_1'],
  ['DELETE', '/recover/payments/in_1'],
  ['HEAD', '/recover/payment_method_updates'],
  ['OPTIONS', '/recover/payments'],
  ['TRACE', '/recover/payments'],
  ['QUERY', '/recover/payments'],
  ['PROPFIND', '/recover/payments'],
  ['PURGE', '/recover/payments'],
  ['GET', '/docs/'],
  ['GET', '/Docs'],
  ['GET', '/docs/openapi'],
  ['POST', '/docs'],
  ['GET', '/api/merchants'],
  ['GET', '/constructor'],
  ['GET', '/__proto__'],
] as const;

describe('404 with and without a key, with and without a body', () => {
  test.each(unknown)('%s %s', async (method, url) => {
    const { app } = testServer();
    const options: { method: 'GET'; url: string } = { method: method as 'GET', url };
    const variants = [
      await app.inject(options),
      await app.inject({ ...options, headers: { 'x-api-key': apiKey } }),
      await app.inject({
        ...options,
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        payload: '{"not":',
      }),
      await app.inject({ ...options, headers: { 'content-type': '///' }, payload: 'x' }),
    ];
    for (const answer of variants) {
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toBe(method === 'HEAD' ? '' : notFound);
      expect(answer.headers['content-type']).toBe('application/json');
    }
  });
});

test('a percent-encoded letter is that letter', async () => {
  const answer = await testServer().call({ method: 'GET', url: '/%72ecover/payments' });
  expect(answer.statusCode).toBe(200);
});

describe('over a real connection', () => {
  test.each([
    ['a method that HTTP does not have', 'FETCH /recover/payments HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['OPTIONS of the server', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a control character in the path', 'GET /recover/\x01 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'a raw byte in the path',
      Buffer.from('GET /recover/\xff HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
    ],
    ['an unknown path in absolute form', 'GET http://a.b/c HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    const port = await testServer().listen();
    const { text } = await rawExchange(port, bytes, hasAnswers(1));
    expect(firstAnswer(text)).toEqual({ status: 404, body: notFound });
    expect(text).toMatch(/request-id: [0-9a-f-]{36}/i);
  });

  test('a path in absolute form is known', async () => {
    const port = await testServer().listen();
    const bytes = `GET http://elsewhere/recover/payments HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\n\r\n`;
    const { text } = await rawExchange(port, bytes, hasAnswers(1));
    expect(firstAnswer(text)).toEqual({ status: 200, body: '{"payments":[]}' });
  });
});
