import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { tryConnection } from '../../../src/merchant/outbound/try-connection.ts';
import { selfSigned } from './self-signed.ts';

const settings = { allow: ['127.0.0.0/8'], timeoutMs: 2_000, resolve: async () => ['127.0.0.1'] };

async function portOf(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<number> {
  const listening = once(server as Server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('reaches a server without a byte of a request', async () => {
  let bytes = 0;
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.on('error', () => {});
  });
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  const port = await portOf(server);
  expect(await tryConnection(settings, `http://merchant.example:${port}`)).toEqual({
    kind: 'reached',
  });
  await closed;
  expect(bytes).toBe(0);
});

test('judges the certificate of an https server', async () => {
  const own = selfSigned('merchant.example');
  const port = await portOf(createHttpsServer({ cert: own.cert, key: own.key }));
  const url = `https://merchant.example:${port}`;
  expect(await tryConnection({ ...settings, ca: own.cert }, url)).toEqual({ kind: 'reached' });
  expect(await tryConnection(settings, url)).toMatchObject({
    kind: 'failed',
    detail: expect.stringContaining('No secure connection'),
  });
});

test('stays behind the guard, and says when nobody listens', async () => {
  const port = await portOf(createServer());
  const guarded = await tryConnection({ ...settings, allow: [] }, `https://merchant.example:443`);
  expect(guarded).toMatchObject({
    kind: 'failed',
    detail: expect.stringContaining('not a public'),
  });
  const server = createServer();
  const free = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  expect(free).not.toBe(port);
  expect(await tryConnection(settings, `http://merchant.example:${free}`)).toMatchObject({
    kind: 'failed',
  });
});
