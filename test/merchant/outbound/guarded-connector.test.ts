import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type AddressGuard,
  createAddressGuard,
} from '../../../src/merchant/outbound/address-guard.ts';
import { OutboundError } from '../../../src/merchant/outbound/failure.ts';
import { createGuardedClient } from '../../../src/merchant/outbound/guarded-client.ts';
import { guardedConnector } from '../../../src/merchant/outbound/guarded-connector.ts';
import { selfSigned } from './self-signed.ts';

const refusingPeers: AddressGuard = {
  readUrl: () => ({ kind: 'refused', detail: '' }),
  resolve: async () => ({ kind: 'resolved', addresses: ['127.0.0.1'] }),
  refusalOf: (_target, address) => `${address} is not to be reached.`,
};

describe('the connector', () => {
  it.each(['http:', 'https:'])(
    'checks the peer before a byte is written over %s',
    async (protocol) => {
      let bytes = 0;
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (chunk) => {
          bytes += chunk.length;
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => {
        server.close();
      });
      const ended = once(server, 'connection').then(([socket]) => once(socket, 'close'));
      const connect = guardedConnector(refusingPeers, { timeoutMs: 1000 });
      const { port } = server.address() as AddressInfo;
      const error = await new Promise<Error | null>((resolve) => {
        const target = { hostname: 'merchant.example', protocol, port: String(port) };
        connect(target, (...result: [null, unknown] | [Error, null]) => resolve(result[0]));
      });
      expect(error).toBeInstanceOf(OutboundError);
      expect(error).toMatchObject({ message: '127.0.0.1 is not to be reached.' });
      await ended;
      expect(bytes).toBe(0);
    },
  );
});

/** A server in a process that is stopped, with no room for another connection: first packets to it are lost. */
async function startStopped(): Promise<{ port: number; goOn(): void }> {
  const script = `
    const server = require('node:net').createServer((socket) => socket.on('error', () => {}));
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(child.stdout, 'data');
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const waiting = Array.from({ length: 4 }, () => open(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
  });
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')));
  return { port, goOn: () => child.kill('SIGCONT') };
}

describe('a server with addresses of both families', () => {
  it('is reached by the one that works, also where its first packet is lost', async () => {
    const { port, goOn } = await startStopped();
    const guard = createAddressGuard({
      allow: ['127.0.0.0/8', '::1/128'],
      resolve: async () => ['127.0.0.1', '::1'],
    });
    const connect = guardedConnector(guard, { timeoutMs: 10_000 });
    const socket = await new Promise<Socket | Error>((resolve) => {
      const target = { hostname: 'merchant.example', protocol: 'http:', port: String(port) };
      connect(target, (...result: [null, Socket] | [Error, null]) =>
        resolve(result[0] ?? (result[1] as Socket)),
      );
      // The first packet has gone by then; the next one goes a second after it.
      setTimeout(goOn, 100);
    });
    expect(socket).toMatchObject({ remoteAddress: '127.0.0.1' });
    if (!(socket instanceof Error)) socket.destroy();
  });
});

describe('TLS', () => {
  async function callHttps(hostname: string, trust: 'own certificate' | 'system') {
    const { cert, key } = selfSigned('merchant.example');
    const names: unknown[] = [];
    const server = createHttpsServer({ cert, key }, (_request, response) => response.end('{}'));
    server.on('secureConnection', (socket) => names.push(Reflect.get(socket, 'servername')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = createGuardedClient({
      allow: ['127.0.0.1/32'],
      timeoutMs: 5000,
      elapsedMs: () => performance.now(),
      resolve: async () => ['127.0.0.1'],
      ...(trust === 'system' ? {} : { ca: cert }),
    });
    onTestFinished(async () => {
      await client.close();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const exchange = await client.post({
      url: `https://${hostname}:${port}/`,
      headers: {},
      body: Buffer.from('{}'),
      bodyFor: [],
    });
    return { exchange, names };
  }

  it('is spoken with the name of the URL', async () => {
    const { exchange, names } = await callHttps('merchant.example', 'own certificate');
    expect(exchange).toMatchObject({ kind: 'answered', status: 200 });
    expect(names).toEqual(['merchant.example']);
  });

  it('refuses a certificate for another name', async () => {
    const { exchange } = await callHttps('other.example', 'own certificate');
    expect(exchange).toMatchObject({
      cause: 'connection_failed',
      detail:
        'No secure connection could be made: its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID).',
    });
  });

  it('refuses a certificate for a name when an address is called', async () => {
    const { exchange } = await callHttps('127.0.0.1', 'own certificate');
    expect(exchange).toMatchObject({
      detail:
        'No secure connection could be made: its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID).',
    });
  });

  it('refuses a certificate that nobody vouches for', async () => {
    const { exchange } = await callHttps('merchant.example', 'system');
    expect(exchange).toMatchObject({
      detail:
        'No secure connection could be made: its certificate is signed by itself alone (DEPTH_ZERO_SELF_SIGNED_CERT).',
    });
  });
});
