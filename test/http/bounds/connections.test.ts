import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { wideBounds } from '../../kits/bounds.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

function opened(port: number, host = '127.0.0.1'): Socket {
  const socket = connect(port, host);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const request = `GET /recover/payments HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n\r\n`;

async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write(request);
  return Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
  ]);
}

test('an address has so many connections, and another one when one of them ends', async () => {
  const { app, listen } = testServer({ bounds: wideBounds({ connectionsPerAddress: 2 }) });
  const port = await listen();
  const [first, second] = [opened(port), opened(port)];
  expect([await isAnswered(first), await isAnswered(second)]).toEqual([true, true]);
  expect(await isAnswered(opened(port))).toBe(false);
  const ended = new Promise<void>((resolve) => {
    app.server.getConnections((_, before) => {
      const look = () =>
        app.server.getConnections((__, now) => (now < before ? resolve() : setImmediate(look)));
      look();
    });
  });
  first.destroy();
  await ended;
  expect(await isAnswered(opened(port))).toBe(true);
});

test('connections of a trusted proxy are not counted', async () => {
  const { listen } = testServer({
    bounds: wideBounds({ connectionsPerAddress: 1 }),
    proxies: ['127.0.0.0/8'],
  });
  const port = await listen();
  const answered = await Promise.all([1, 2, 3].map(() => isAnswered(opened(port))));
  expect(answered).toEqual([true, true, true]);
});

test.runIf(hasIpv6)('nor are those of one with an IPv6 address', async () => {
  const { app } = testServer({
    bounds: wideBounds({ connectionsPerAddress: 1 }),
    proxies: ['::1/128'],
  });
  await app.listen({ port: 0, host: '::1' });
  const { port } = app.server.address() as AddressInfo;
  const answered = await Promise.all([1, 2, 3].map(() => isAnswered(opened(port, '::1'))));
  expect(answered).toEqual([true, true, true]);
});

test('a connection whose answers nobody reads stands still, and is closed', async () => {
  const { app, listen } = testServer();
  expect(app.server.timeout).toBe(60_000);
  app.server.setTimeout(200);
  // More than the buffers of both sides hold.
  app.get('/large', async () => Buffer.alloc(64 * 1024 * 1024));
  const server = once(app.server, 'connection');
  const socket = opened(await listen());
  const [theirs] = (await server) as [Socket];
  const closed = once(theirs, 'close');
  socket.pause();
  socket.write(request.replace('/recover/payments', '/large'));
  await closed;
  expect(theirs.destroyed).toBe(true);
});
