import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DrainLimits, workInTurn } from '../../../src/http/bounds/in-turn.ts';
import { hasAnswers, rawExchange } from '../../kits/raw-http.ts';

interface Arrived {
  readonly url: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server that answers when the test says so. */
async function heldServer(drain?: DrainLimits) {
  const arrived: Arrived[] = [];
  let onArrival = (): void => undefined;
  const server = createServer((request, response) => {
    arrived.push({ url: request.url ?? '', request, response });
    onArrival();
  });
  workInTurn(server, drain);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    server,
    arrived,
    port: (server.address() as AddressInfo).port,
    async atLeast(count: number) {
      while (arrived.length < count) await new Promise<void>((done) => (onArrival = done));
    },
  };
}

const get = (n: number) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => get(n));

test('one request of a connection is worked on at a time', async () => {
  const { arrived, port, atLeast } = await heldServer();
  const all = rawExchange(port, upTo(3).join(''), hasAnswers(3));
  for (let n = 0; n < 3; n += 1) {
    await atLeast(n + 1);
    expect(arrived.map(({ url }) => url)).toEqual(upTo(n + 1).map((_, at) => `/${at}`));
    arrived[n]?.response.end(`${n}`);
  }
  const { text } = await all;
  expect(text.match(/\r\n\r\n\d/g)?.map((body) => body.trim())).toEqual(['0', '1', '2']);
});

test('what waits when the connection ends is never begun', async () => {
  const { server, arrived, port, atLeast } = await heldServer();
  const closed = new Promise((done) => {
    server.on('connection', (socket) => socket.on('close', done));
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(upTo(200).join(''));
  await atLeast(1);
  socket.resetAndDestroy();
  // Nobody reads: the end is seen at the latest when an answer is written.
  while (arrived.some(({ response }) => !response.destroyed)) {
    const { response } = arrived.at(-1) ?? {};
    const gone = once(response ?? server, 'close');
    response?.end('x');
    await gone;
  }
  await closed;
  expect(arrived.length).toBeLessThan(5);
});

test('many requests on one connection are all answered, in their order', async () => {
  const { server, port } = await heldServer();
  server.removeAllListeners('request');
  server.on('request', (request, response) => void setImmediate(() => response.end(request.url)));
  workInTurn(server);
  const count = 1_500;
  const padding = `x: ${'y'.repeat(100)}\r\n`;
  const bytes = upTo(count).join('').replaceAll('Host: x\r\n', `Host: x\r\n${padding}`);
  const { text } = await rawExchange(port, bytes, hasAnswers(count));
  expect(text.split('HTTP/1.1 200').length - 1).toBe(count);
  const urls = text.match(/\r\n\r\n\/\d+/g)?.map((body) => body.trim());
  expect(urls).toEqual(Array.from({ length: count }, (_, n) => `/${n}`));
});

test('a body that comes later is read in its turn', async () => {
  const { arrived, port, atLeast } = await heldServer();
  const body = 'b'.repeat(200_000);
  const post = `POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const both = rawExchange(port, get(0) + post, hasAnswers(2));
  await atLeast(1);
  arrived[0]?.response.end('0');
  await atLeast(2);
  let length = 0;
  for await (const chunk of arrived[1]?.request ?? []) length += (chunk as Buffer).length;
  arrived[1]?.response.end('1');
  await both;
  expect(length).toBe(body.length);
});

test('what is written behind a request is not parsed before its turn', async () => {
  const { server, arrived, port, atLeast } = await heldServer();
  let parsed = 0;
  server.on('request', () => (parsed += 1));
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(upTo(1_000).join(''));
  await atLeast(1);
  arrived[0]?.response.end('0');
  // The whole of what was read has been looked at by then.
  await atLeast(2);
  expect(parsed).toBeLessThan(50);
});

test('a body with a pipelined request behind it is read whole, and that one in its turn', async () => {
  const { arrived, port, atLeast } = await heldServer();
  const body = 'b'.repeat(40_000);
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const head = 'POST / HTTP/1.1\r\nHost: x\r\n';
  const bytes = [
    `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n${chunked}`,
    get(2),
  ];
  const all = rawExchange(port, bytes.join(''), hasAnswers(3));
  const lengths: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    await atLeast(n + 1);
    let length = 0;
    for await (const chunk of arrived[n]?.request ?? []) length += (chunk as Buffer).length;
    lengths.push(length);
    expect(arrived).toHaveLength(n + 1);
    arrived[n]?.response.end('x');
  }
  await all;
  expect(lengths).toEqual([body.length, body.length, 0]);
});

test('a body that nobody asks for is not read on behind their back', async () => {
  const { arrived, port, atLeast } = await heldServer();
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const length = 64 * 1024 * 1024;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(Buffer.alloc(length));
  await atLeast(1);
  const { request } = arrived[0] ?? {};
  if (request === undefined) throw new Error('No request arrived');
  request.read(1);
  await once(request.socket, 'pause');
  // A read that was under way is still taken.
  for (let n = 0; n < 10; n += 1) await new Promise(setImmediate);
  expect(request.socket.isPaused()).toBe(true);
  expect(request.readableLength).toBeLessThan(1024 * 1024);
});

const mebibyte = 1024 * 1024;

/** An answer to a body that nobody has read; what the test sends behind it waits for that. */
async function answered(drain: DrainLimits, length: number) {
  const held = await heldServer(drain);
  const socket = connect(held.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const closed = new Promise((done) => socket.once('close', done));
  socket.on('error', () => undefined);
  const text = new Promise<void>((done) => socket.once('data', () => done()));
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(Buffer.alloc(length));
  await held.atLeast(1);
  const { request, response } = held.arrived[0] ?? {};
  if (request === undefined) throw new Error('No request arrived');
  const ended = once(response ?? request, 'close');
  response?.end('0');
  await ended;
  await text;
  return { ...held, socket, closed, request };
}

test('what is left of an answered body is read in turns, and what comes behind it is answered', async () => {
  const drain = { maxBytes: 4 * mebibyte, pauseMs: 5 };
  const { request, socket, arrived, atLeast } = await answered(drain, 3 * mebibyte);
  let stops = 0;
  request.socket.on('pause', () => (stops += 1));
  socket.write(get(1));
  await atLeast(2);
  // At most two reads of 64 KiB between two of them.
  expect(stops).toBeGreaterThan(15);
  const next = once(socket, 'data');
  arrived[1]?.response.end('1');
  expect(String((await next)[0])).toContain('HTTP/1.1 200');
});

test('a body that is far longer than any that is taken ends its connection', async () => {
  const drain = { maxBytes: mebibyte, pauseMs: 1 };
  const { request, closed } = await answered(drain, 16 * mebibyte);
  const { socket } = request;
  await closed;
  expect(socket.bytesRead).toBeLessThan(2 * mebibyte);
});

test('a server that closes does not wait for what is left of a body', async () => {
  const drain = { maxBytes: 64 * mebibyte, pauseMs: 5 };
  const { server, closed } = await answered(drain, 16 * mebibyte);
  const end = once(server, 'close');
  server.close();
  await Promise.all([end, closed]);
});
