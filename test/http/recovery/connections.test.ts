import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { firstAnswer, hasAnswers, rawExchange } from '../../kits/raw-http.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

const updates = '/recover/payment_method_updates';
const update = '{"customer_id":"cus_1","payment_method_id":"pm_1"}';
const head = `POST ${updates} HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\nContent-Type: application/json\r\n`;
const whole = `${head}Content-Length: ${update.length}\r\n\r\n${update}`;
const malformed =
  '{"message":"Invalid request body","errors":[{"request":"Input should be a valid HTTP request"}]}';

describe('bytes that are no request are 400', () => {
  test.each([
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a blank in the path', 'GET /recover/pay ments HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no Host', `GET /recover/payments HTTP/1.1\r\nx-api-key: ${apiKey}\r\n\r\n`],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length that is no number', `${head}Content-Length: 1e3\r\n\r\n{}`],
    [
      'a length and chunks',
      `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a chunk without a length', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ])('%s', async (_name, bytes) => {
    const { listen, api } = testServer();
    const { text } = await rawExchange(await listen(), bytes, hasAnswers(1));
    expect(firstAnswer(text)).toEqual({ status: 400, body: malformed });
    expect(text).toMatch(/\r\nrequest-id: [0-9a-f-]{36}\r\n/i);
    expect(api.acceptedUpdates).toEqual([]);
  });
});

test.each([20_000, 300_000])('a head of %i bytes is 431', async (length) => {
  const port = await testServer().listen();
  const bytes = `GET /recover/payments HTTP/1.1\r\nHost: x\r\na: ${'x'.repeat(length)}\r\n\r\n`;
  const { text, isClosed } = await rawExchange(port, bytes);
  expect(firstAnswer(text)).toEqual({
    status: 431,
    body: '{"message":"Request Header Fields Too Large","errors":"The request line and the headers may have 16 KiB together."}',
  });
  expect(isClosed).toBe(true);
});

test('what follows a request that is being worked on cannot pass for its answer', async () => {
  const { listen, api } = testServer();
  const gate = Promise.withResolvers<void>();
  api.gate = gate.promise;
  const port = await listen();
  const { text, isClosed } = await rawExchange(port, `${whole}GARBAGE\0\r\n\r\n`);
  expect([text, isClosed]).toEqual(['', true]);
  gate.resolve();
});

test('a body that ends early is not carried out', async () => {
  const { app, listen, api } = testServer();
  const port = await listen();
  const answered = new Promise((resolve) => {
    app.server.on('request', (request) => request.on('close', resolve));
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head}Content-Length: ${update.length}\r\n\r\n${update.slice(0, 20)}`, () =>
    socket.destroy(),
  );
  await answered;
  expect(api.acceptedUpdates).toEqual([]);
});

test.each([
  ['100-continue', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK'],
  ['miracles', 'HTTP/1.1 200 OK'],
])('Expect: %s', async (expectation, start) => {
  const port = await testServer().listen();
  const bytes = whole.replace('\r\n\r\n', `\r\nExpect: ${expectation}\r\n\r\n`);
  const { text } = await rawExchange(port, bytes, (sofar) => sofar.includes('"request_id"'));
  expect(text.startsWith(start)).toBe(true);
});

test('requests on one connection are answered in their order', async () => {
  const port = await testServer().listen();
  const { text } = await rawExchange(
    port,
    `${whole}GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n${whole}`,
    hasAnswers(3),
  );
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
});

test('a request that arrives on a busy connection while the server closes is answered', async () => {
  const { app, listen, api } = testServer();
  const gate = Promise.withResolvers<void>();
  api.gate = gate.promise;
  const closing = new Promise<void>((resolve) => {
    app.addHook('preClose', (done) => {
      resolve();
      done();
    });
  });
  const port = await listen();
  const first = new Promise((resolve) => app.server.once('request', resolve));
  const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.write(whole);
  await first;
  const closed = app.close();
  await closing;
  const side = await accepted;
  const second = new Promise<void>((resolve) => {
    side.on('data', () => side.bytesRead === 2 * whole.length && resolve());
  });
  socket.write(whole);
  await second;
  gate.resolve();
  await ended;
  await closed;
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
});

test('slow senders are timed out', () => {
  const { server } = testServer().app;
  expect(server.headersTimeout).toBe(10_000);
  expect(server.requestTimeout).toBe(20_000);
  expect(server.timeout).toBe(60_000);
  expect(server.keepAliveTimeout).toBe(65_000);
});
