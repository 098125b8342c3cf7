import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { createGuardedClient } from '../../../src/merchant/outbound/guarded-client.ts';
import { selfSigned } from './self-signed.ts';

const much = 'a'.repeat(64 * 1024);
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
/** What comes first, and what comes after it without an end. */
const endless: Readonly<Record<string, readonly [string, string]>> = {
  'a chunk extension': [`${chunked}1;`, much],
  'chunks of one byte with long extensions': [chunked, `1;${much}\r\nx\r\n`],
  'zeros before the size of a chunk': [chunked, '0'.repeat(64 * 1024)],
  'interim answers': ['', `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(15_000)}\r\n\r\n`],
  'blanks before the value of a field': ['HTTP/1.1 200 OK\r\na:', ' '.repeat(64 * 1024)],
  'a reason phrase': ['HTTP/1.1 200 ', much],
  'empty lines': ['', '\r\n'.repeat(32 * 1024)],
};
const { cert, key } = selfSigned('merchant.example');

function startClient() {
  const client = createGuardedClient({
    allow: ['127.0.0.0/8'],
    timeoutMs: 60_000,
    elapsedMs: () => performance.now(),
    resolve: async () => ['127.0.0.1'],
    ca: cert,
  });
  onTestFinished(() => client.close());
  return client;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** To every request: the bytes that come first, and then the others until the connection is closed. */
function answerWith([first, more]: readonly [string, string]) {
  return (socket: Socket): void => {
    socket.on('error', () => {});
    const pour = (): void => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.once('data', () => {
      socket.write(first);
      pour();
      socket.on('drain', pour);
    });
  };
}

const request = { headers: {}, body: Buffer.from('{}'), bodyFor: [200] };
const tooLarge = { kind: 'failed', cause: 'too_large' };

describe.each(Object.entries(endless))('an answer with %s that never ends', (_what, bytes) => {
  it('is cut off long before the end of its time', async () => {
    const port = await listening(createServer(answerWith(bytes)));
    const exchange = await startClient().post({ ...request, url: `http://127.0.0.1:${port}/` });
    expect(exchange).toMatchObject({
      ...tooLarge,
      detail: expect.stringContaining(`${limits.merchantAnswerRawBytes} bytes`),
    });
  });

  it('is cut off over TLS', async () => {
    const port = await listening(createTlsServer({ cert, key }, answerWith(bytes)));
    const url = `https://merchant.example:${port}/`;
    expect(await startClient().post({ ...request, url })).toMatchObject(tooLarge);
  });
});

it('an answer in chunks of one byte each may be as large as any other', async () => {
  const body = '1\r\na\r\n'.repeat(limits.merchantAnswerBytes);
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(`${chunked}${body}0\r\n\r\n`));
  });
  const url = `http://127.0.0.1:${await listening(server)}/`;
  const exchange = await startClient().post({ ...request, url });
  expect(exchange.kind === 'answered' && exchange.body.length).toBe(limits.merchantAnswerBytes);
});

it.each(['http', 'https'])(
  'a connection that is kept is used for any number of answers over %s, each with its own bytes',
  async (scheme) => {
    let connections = 0;
    const body = 'a'.repeat(limits.merchantAnswerBytes);
    const answer = (socket: Socket): void => {
      connections += 1;
      socket.on('error', () => {});
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
        if (!received.endsWith('\r\n\r\n{}')) return;
        received = '';
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      });
    };
    const server =
      scheme === 'http' ? createServer(answer) : createTlsServer({ cert, key }, answer);
    const url = `${scheme}://merchant.example:${await listening(server)}/`;
    const client = startClient();
    const calls = (3 * limits.merchantAnswerRawBytes) / body.length;
    for (let call = 0; call < calls; call += 1) {
      expect(await client.post({ ...request, url })).toMatchObject({ kind: 'answered' });
    }
    // The pool opens a second one when a call comes as the first is just being given back.
    expect(connections).toBeLessThanOrEqual(2);
  },
);
