import { Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { type ExchangeRequest, exchange } from '../../src/psp/exchange.ts';
import { brokenPsp, deadAddress, rawPsp } from './broken-psp.ts';

const post: ExchangeRequest = {
  method: 'POST',
  path: '/v1/charges',
  headers: { 'content-type': 'application/json' },
  body: '{"amount":1}',
  deadlineMs: 2_000,
  answerBytes: 1_024,
};

it('gives status, headers and text of an answer', async () => {
  const psp = await brokenPsp((request, response, body) => {
    response.writeHead(418, { 'x-seen': `${request.method} ${request.url}` });
    response.end(`é ${body}`);
  });
  expect(await exchange(poolOf(psp.url), post)).toMatchObject({
    kind: 'answered',
    status: 418,
    headers: { 'x-seen': 'POST /v1/charges' },
    text: 'é {"amount":1}',
  });
});

it('puts a text together that came in pieces', async () => {
  const euro = Buffer.from('€');
  const psp = await brokenPsp((_request, response) => {
    response.write(euro.subarray(0, 1), () => response.end(euro.subarray(1)));
  });
  expect(await exchange(poolOf(psp.url), post)).toMatchObject({ text: '€' });
});

it('has not sent what nobody took', async () => {
  expect(await exchange(poolOf(await deadAddress()), post)).toEqual({
    kind: 'not_sent',
    reason: 'the connection failed (ECONNREFUSED)',
  });
});

it('has not sent what no HTTP request can hold', async () => {
  const psp = await brokenPsp((_request, response) => response.end());
  const bad = { ...post, headers: { 'idempotency-key': 'two\r\nlines' } };
  expect(await exchange(poolOf(psp.url), bad)).toMatchObject({ kind: 'not_sent' });
  expect(psp.requests).toHaveLength(0);
});

it('has not sent what a closed pool was given', async () => {
  const psp = await brokenPsp((_request, response) => response.end());
  const pool = poolOf(psp.url);
  await pool.close();
  expect(await exchange(pool, post)).toMatchObject({ kind: 'not_sent' });
});

it('has not sent, and never sends, what waited for a connection until its deadline', async () => {
  const held = Promise.withResolvers<() => void>();
  const psp = await brokenPsp((request, response) => {
    if (request.url === '/first') held.resolve(() => response.end());
    else response.end('reached');
  });
  const pool = poolOf(psp.url, 1);
  const first = exchange(pool, { ...post, path: '/first', deadlineMs: 5_000 });
  const release = await held.promise;
  const second = await exchange(pool, { ...post, path: '/second', deadlineMs: 50 });
  expect(second).toEqual({ kind: 'not_sent', reason: 'no answer within 50 ms' });
  release();
  expect(await first).toMatchObject({ kind: 'answered' });
  expect(await exchange(pool, { ...post, path: '/third' })).toMatchObject({ text: 'reached' });
  expect(psp.requests.map((request) => request.url)).toEqual(['/first', '/third']);
});

it('has lost what was sent when no answer comes by the deadline', async () => {
  const psp = await brokenPsp(() => undefined);
  expect(await exchange(poolOf(psp.url), { ...post, deadlineMs: 500 })).toEqual({
    kind: 'lost',
    reason: 'no answer within 500 ms',
  });
});

it('has lost what was sent when the connection breaks', async () => {
  const url = await rawPsp((socket) => socket.destroy());
  expect(await exchange(poolOf(url), post)).toMatchObject({ kind: 'lost' });
});

it('has lost what was sent when the answer is no HTTP', async () => {
  const url = await rawPsp((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  expect(await exchange(poolOf(url), post)).toMatchObject({ kind: 'lost' });
});

it('has lost what was sent when the answer ends early', async () => {
  const url = await rawPsp((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":"ch_1"');
  });
  expect(await exchange(poolOf(url), post)).toMatchObject({ kind: 'lost' });
});

it('has lost what was sent when the answer is too large', async () => {
  const psp = await brokenPsp((_request, response) => response.end('x'.repeat(2_000)));
  expect(await exchange(poolOf(psp.url), post)).toEqual({
    kind: 'lost',
    reason: 'the answer is larger than 1024 bytes',
  });
});

it('sends a lost POST once only, over a connection that was kept before', async () => {
  let answers = 0;
  const psp = await brokenPsp((request, response) => {
    answers += 1;
    if (answers === 1) response.end('first');
    else request.socket.destroy();
  });
  const pool = poolOf(psp.url, 1);
  expect(await exchange(pool, post)).toMatchObject({ text: 'first' });
  expect(await exchange(pool, post)).toMatchObject({ kind: 'lost' });
  expect(psp.requests).toHaveLength(2);
});

it('does not follow a redirect', async () => {
  const psp = await brokenPsp((_request, response) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await exchange(poolOf(psp.url), post)).toMatchObject({ kind: 'answered', status: 307 });
  expect(psp.requests).toHaveLength(1);
});

function poolOf(url: string, connections = 4): Pool {
  const pool = new Pool(url, { connections });
  onTestFinished(() => pool.destroy());
  return pool;
}
