import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import {
  createGuardedClient,
  type Exchange,
  type GuardedClient,
  type GuardedClientSettings,
} from '../../../src/merchant/outbound/guarded-client.ts';
import { type FakeAnswer, type FakeMerchant, startFakeMerchant } from '../../kits/fake-merchant.ts';

const loopback = ['127.0.0.0/8'];

function startClient(settings: Partial<GuardedClientSettings> = {}): GuardedClient {
  const elapsedMs = (): number => performance.now();
  const client = createGuardedClient({ allow: loopback, timeoutMs: 5000, elapsedMs, ...settings });
  onTestFinished(() => client.close());
  return client;
}

async function startFake(): Promise<FakeMerchant> {
  const fake = await startFakeMerchant();
  onTestFinished(() => fake.close());
  return fake;
}

/** A server that speaks what it is told, byte for byte, to every connection. */
async function startRaw(onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return server;
}

const okBytes = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** Calls back once a whole request is there; the body of every one in this file is `{}`. */
function onRequest(socket: Socket, whole: () => void): void {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
    if (!received.endsWith('\r\n\r\n{}')) return;
    received = '';
    whole();
  });
}

const urlOf = (server: Server): string => {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
};

const post = (client: GuardedClient, url: string, bodyFor = [200]): Promise<Exchange> =>
  client.post({ url, headers: { 'x-api-key': 'canary-key' }, body: Buffer.from('{}'), bodyFor });

/** What a call sees of one answer of the fake. */
async function exchangeWith(answer: FakeAnswer, timeoutMs = 5000): Promise<Exchange> {
  const fake = await startFake();
  fake.answerWebhooks(answer);
  return await post(startClient({ timeoutMs }), fake.webhookUrl);
}

describe('an exchange', () => {
  it('gives status, headers, bytes and duration', async () => {
    const fake = await startFake();
    let elapsed = 0;
    const client = startClient({ elapsedMs: () => (elapsed += 20.4) });
    const answered = await post(client, fake.webhookUrl);
    expect(answered).toMatchObject({ kind: 'answered', status: 200, durationMs: 20 });
    if (answered.kind !== 'answered') return;
    expect(answered.headers['content-type']).toBe('application/json');
    expect(Buffer.from(answered.body).toString()).toBe('{"detail":"Event delivered successfully"}');
  });

  it('asks for no compression', async () => {
    const fake = await startFake();
    await post(startClient(), fake.webhookUrl);
    expect((await fake.nextWebhook()).headers).toMatchObject({
      'accept-encoding': 'identity',
      'x-api-key': 'canary-key',
      'user-agent': 'Recoup',
    });
  });

  it('adds the headers of a trace, which take the place of none of its own', async () => {
    const fake = await startFake();
    const headers = () => ({ traceparent: '00-a-b-01', 'x-api-key': 'other' });
    await post(startClient({ headers }), fake.webhookUrl);
    expect((await fake.nextWebhook()).headers).toMatchObject({
      traceparent: '00-a-b-01',
      'x-api-key': 'canary-key',
    });
  });

  it('keeps its connections', async () => {
    let connections = 0;
    const server = await startRaw((socket) => {
      connections += 1;
      onRequest(socket, () => socket.write(okBytes));
    });
    const client = startClient();
    for (let call = 0; call < 20; call += 1) {
      expect(await post(client, urlOf(server))).toMatchObject({ kind: 'answered', status: 200 });
    }
    // The pool opens a second one when a call comes as the first is just being given back.
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('waits for no other call to the same server, however many of them hang', async () => {
    const fake = await startFake();
    const client = startClient({ timeoutMs: 20_000 });
    fake.answerWebhooks({ kind: 'hang' });
    let ended = 0;
    const hang = () => post(client, fake.webhookUrl).then(() => (ended += 1));
    const hanging = Array.from({ length: 100 }, hang);
    for (let call = 0; call < 64; call += 1) await fake.nextWebhook();
    expect(await post(client, `${fake.origin}/retry/in_1`)).toMatchObject({ status: 200 });
    expect(ended).toBe(0);
    await fake.close();
    await Promise.all(hanging);
  });

  it('tries once again when a kept connection was closed under it', async () => {
    let connections = 0;
    let cuts = 0;
    const server = await startRaw((socket) => {
      connections += 1;
      let calls = 0;
      onRequest(socket, () => {
        calls += 1;
        if (calls === 1) {
          socket.write(okBytes);
          return;
        }
        cuts += 1;
        socket.resetAndDestroy();
      });
    });
    const client = startClient();
    // A call may come as the connection is just being given back, and has another one then.
    for (let call = 0; call < 20 && cuts === 0; call += 1) {
      expect(await post(client, urlOf(server))).toMatchObject({ kind: 'answered', status: 200 });
    }
    expect(cuts).toBe(1);
    expect(connections).toBeLessThanOrEqual(3);
  });

  it('tries no third time', async () => {
    const fake = await startFake();
    fake.answerWebhooks({ kind: 'destroy' });
    expect(await post(startClient(), fake.webhookUrl)).toMatchObject({
      kind: 'failed',
      cause: 'connection_failed',
    });
    expect(fake.webhooks).toHaveLength(2);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('of %i is an answer and is not followed', async (status) => {
    const fake = await startFake();
    const location = `${fake.origin}/retry/inv_elsewhere`;
    fake.answerWebhooks({ status, headers: { location } });
    expect(await post(startClient(), fake.webhookUrl)).toMatchObject({ kind: 'answered', status });
    expect(fake.lookups).toHaveLength(0);
  });
});

describe('the deadline covers', () => {
  it.each<FakeAnswer>([{ kind: 'hang' }, { kind: 'drip_head' }, { kind: 'drip_body' }])(
    'a server that answers like $kind',
    async (answer) => {
      expect(await exchangeWith(answer, 80)).toMatchObject({
        kind: 'failed',
        cause: 'timeout',
        detail: 'The exchange did not finish within 80 ms.',
      });
    },
  );

  it('a name that does not resolve', async () => {
    const client = startClient({ timeoutMs: 40, resolve: () => new Promise(() => {}) });
    expect(await post(client, 'https://merchant.example/')).toMatchObject({ cause: 'timeout' });
  });

  it('a server that accepts and says nothing in the TLS greeting', async () => {
    const server = await startRaw(() => {});
    const client = startClient({ timeoutMs: 60 });
    const url = urlOf(server).replace('http:', 'https:');
    expect(await post(client, url)).toMatchObject({ kind: 'failed', cause: 'timeout' });
  });
});

describe('the size of an answer', () => {
  it.each([
    ['announced', false],
    ['not announced', true],
  ])('is capped when it is %s', async (_words, chunked) => {
    expect(await exchangeWith({ kind: 'huge', bytes: 1e9, chunked })).toMatchObject({
      kind: 'failed',
      cause: 'too_large',
    });
  });

  it('may be exactly the limit, and not one byte more', async () => {
    const fits = await exchangeWith({ kind: 'huge', bytes: limits.merchantAnswerBytes });
    expect(fits.kind === 'answered' && fits.body.byteLength).toBe(limits.merchantAnswerBytes);
    const more = await exchangeWith({ kind: 'huge', bytes: limits.merchantAnswerBytes + 1 });
    expect(more).toMatchObject({ kind: 'failed', cause: 'too_large' });
  });

  it('is capped in its head too', async () => {
    const headers = { 'x-much': 'a'.repeat(100_000) };
    expect(await exchangeWith({ headers })).toMatchObject({ cause: 'too_large' });
  });

  it('is never that of something decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(limits.merchantAnswerBytes);
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity, gzip']) {
      const headers = { 'content-encoding': encoding };
      expect(await exchangeWith({ body: bomb, headers })).toMatchObject({
        kind: 'failed',
        cause: 'wrong_type',
      });
    }
  });

  it.each(['identity', 'Identity', ''])(
    'is that of the body where its coding is %j',
    async (coding) => {
      const exchange = await exchangeWith({ body: '{}', headers: { 'content-encoding': coding } });
      expect(exchange.kind === 'answered' && Buffer.from(exchange.body).toString()).toBe('{}');
    },
  );

  it('does not matter where the status is the answer', async () => {
    const fake = await startFake();
    const client = startClient();
    fake.answerWebhooks({ kind: 'huge', bytes: 1e9 }, { kind: 'huge', bytes: 1e9, chunked: true });
    for (let call = 0; call < 2; call += 1) {
      expect(await post(client, fake.webhookUrl, [])).toMatchObject({
        kind: 'answered',
        status: 200,
      });
    }
  });

  it('nor does a body that never ends', async () => {
    const fake = await startFake();
    fake.answerWebhooks({ kind: 'drip_body', status: 503 });
    // The head has to be there by then.
    const client = startClient({ timeoutMs: 3_000 });
    expect(await post(client, fake.webhookUrl, [])).toMatchObject({
      kind: 'answered',
      status: 503,
    });
  });
});

describe('a broken server', () => {
  it('that is not there', async () => {
    const fake = await startFake();
    await fake.close();
    expect(await post(startClient(), fake.webhookUrl)).toMatchObject({
      kind: 'failed',
      cause: 'connection_failed',
      detail: 'The connection failed (ECONNREFUSED).',
    });
  });

  it('that cuts its answer in half', async () => {
    const body = '{"retry":true,"reason":"Invoice open"}';
    expect(await exchangeWith({ kind: 'cut', body, sentBytes: 12 })).toMatchObject({
      kind: 'failed',
      cause: 'connection_failed',
    });
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6 canary\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    ['a bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\ncanary\r\n'],
    ['a bad status', 'HTTP/1.1 canary OK\r\n\r\n'],
  ])('that speaks %s', async (_words, bytes) => {
    const server = await startRaw((socket) => socket.end(bytes));
    const exchange = await post(startClient(), urlOf(server));
    expect(exchange).toMatchObject({ kind: 'failed', cause: 'malformed' });
    expect(JSON.stringify(exchange)).not.toContain('canary');
  });
});

describe('a name that changes its address', () => {
  it('is resolved once for each connection and never reached inside', async () => {
    const inside = await startFake();
    const port = new URL(inside.origin).port;
    let questions = 0;
    const client = startClient({
      allow: [],
      timeoutMs: 300,
      // A public answer for the check, the inner one for whoever would ask again to connect.
      resolve: async () => {
        questions += 1;
        return [questions === 1 ? '192.0.0.8' : '127.0.0.1'];
      },
    });
    const url = `https://rebind.example:${port === '443' ? 8443 : 443}/`;
    expect(await post(client, url)).toMatchObject({ cause: 'address_refused' });
    expect(questions).toBe(1);
    expect(await post(client, url)).toMatchObject({ cause: 'address_refused' });
    expect(inside.webhooks).toHaveLength(0);
  });

  it('loses the permission of its first address', async () => {
    const fake = await startFake();
    const { port } = new URL(fake.origin);
    const answers = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['10.0.0.1']];
    const client = startClient({ resolve: async () => answers.shift() ?? [] });
    const url = `http://rebind.example:${port}/webhooks/retry-results`;
    fake.answerWebhooks({ headers: { connection: 'close' } });
    expect(await post(client, url)).toMatchObject({ kind: 'answered', status: 200 });
    expect(await post(client, url)).toMatchObject({
      cause: 'address_refused',
      detail: 'rebind.example is at 10.0.0.1, which is not a public address (private use).',
    });
    expect(await post(client, url)).toMatchObject({ cause: 'address_refused' });
    expect(fake.webhooks).toHaveLength(1);
  });
});

describe('an address that may not be called', () => {
  it.each(['http://127.0.0.1:1/', 'https://[::1]/', 'https://2130706433/', 'https://localhost/'])(
    '%s is refused without a connection',
    async (url) => {
      const client = startClient({ allow: [], resolve: async () => ['127.0.0.1'] });
      expect(await post(client, url)).toMatchObject({ kind: 'failed', cause: 'address_refused' });
    },
  );
});

describe('closing', () => {
  it('lets a call in flight end', async () => {
    const fake = await startFake();
    const client = createGuardedClient({
      allow: loopback,
      timeoutMs: 5000,
      elapsedMs: () => performance.now(),
    });
    fake.answerWebhooks({ delayMs: 30 });
    const call = post(client, fake.webhookUrl);
    await fake.nextWebhook();
    await client.close();
    expect(await call).toMatchObject({ kind: 'answered', status: 200 });
    expect(await post(client, fake.webhookUrl)).toMatchObject({ kind: 'failed' });
  });
});
