import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer in full. `body` is sent as JSON, or as it is when it is a text or bytes. */
export interface PlainAnswer {
  readonly kind?: 'answer';
  readonly status?: number;
  readonly body?: unknown;
  /** A list sends the field more than once. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly delayMs?: number;
}

/** What the fake does with one call. Every wait is the server's own and ends with `close`. */
export type FakeAnswer =
  | PlainAnswer
  /** Takes the call and never answers. */
  | { readonly kind: 'hang' }
  /** Sends the head one byte at a time, for ever. */
  | { readonly kind: 'drip_head' }
  /** Sends the head, then the body one byte at a time, for ever. */
  | { readonly kind: 'drip_body'; readonly status?: number }
  /** Sends this many bytes; with `chunked`, without saying how many will come. */
  | {
      readonly kind: 'huge';
      readonly bytes: number;
      readonly chunked?: boolean;
      readonly status?: number;
    }
  /** Announces the whole body, sends this part of it and cuts the connection. */
  | {
      readonly kind: 'cut';
      readonly body: string;
      readonly sentBytes: number;
      readonly status?: number;
    }
  /** Cuts the connection without a word. A client may try once again at once: two calls. */
  | { readonly kind: 'destroy' };

export interface FakeCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came, byte for byte. */
  readonly rawBody: Buffer;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

export interface FakeLookup extends FakeCall {
  /** The invoice id of the path, decoded. */
  readonly invoiceId: string;
}

/** A webhook with the verdicts of a receiver that is written apart from the sender. */
export interface FakeWebhook extends FakeCall {
  readonly isSigned: boolean;
  readonly isExpired: boolean;
  readonly deduplicationId: string;
  readonly type: string;
}

type Script<Call> = (call: Call) => FakeAnswer;

export interface FakeMerchantOptions {
  /** The secret that webhooks must be signed with; may be set later with `trust`. */
  readonly signingSecret?: string;
  /** The receiver's clock, for the expiration. Default: the machine's. */
  readonly now?: () => Date;
}

export interface FakeMerchant {
  readonly origin: string;
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
  /** Every call so far, in order of arrival. */
  readonly lookups: readonly FakeLookup[];
  readonly webhooks: readonly FakeWebhook[];
  trust(signingSecret: string): void;
  /** One answer for each coming call; the last one stays. A function decides call by call. */
  answerLookups(...answers: readonly [Script<FakeLookup>] | readonly FakeAnswer[]): void;
  answerWebhooks(...answers: readonly [Script<FakeWebhook>] | readonly FakeAnswer[]): void;
  /**
   * The next call that fits, each call given once: one that came before the question too. A test
   * waits with these, never by time.
   */
  nextLookup(fits?: (call: FakeLookup) => boolean): Promise<FakeLookup>;
  nextWebhook(fits?: (call: FakeWebhook) => boolean): Promise<FakeWebhook>;
  close(): Promise<void>;
}

const dripMs = 10;
const yes: FakeAnswer = { body: { retry: true, reason: 'Invoice open' } };
const acknowledged: FakeAnswer = { body: { detail: 'Event delivered successfully' } };

/** A merchant's server on loopback for tests: says yes and acknowledges until told otherwise. */
export async function startFakeMerchant(options: FakeMerchantOptions = {}): Promise<FakeMerchant> {
  const now = options.now ?? (() => new Date());
  let signingSecret = options.signingSecret ?? '';
  const lookups = createChannel<FakeLookup>(yes);
  const webhooks = createChannel<FakeWebhook>(acknowledged);
  const server = createServer((request, response) => {
    readCall(request).then(
      (call) => {
        const invoiceId = /^\/retry\/([^/?]+)/.exec(call.path)?.[1];
        if (invoiceId !== undefined) {
          play(response, lookups.take({ ...call, invoiceId: decodeURIComponent(invoiceId) }));
        } else if (call.path.startsWith('/webhooks/retry-results')) {
          play(response, webhooks.take({ ...call, ...verdictOn(call, signingSecret, now()) }));
        } else play(response, { status: 404, body: 'no such page' });
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    retryStatusUrl: `${origin}/retry/{invoice_id}`,
    webhookUrl: `${origin}/webhooks/retry-results`,
    lookups: lookups.calls,
    webhooks: webhooks.calls,
    trust: (secret) => {
      signingSecret = secret;
    },
    answerLookups: lookups.script,
    answerWebhooks: webhooks.script,
    nextLookup: lookups.next,
    nextWebhook: webhooks.next,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Channel<Call> {
  readonly calls: readonly Call[];
  take(call: Call): FakeAnswer;
  script(...answers: readonly [Script<Call>] | readonly FakeAnswer[]): void;
  next(fits?: (call: Call) => boolean): Promise<Call>;
}

/** Records the calls of one kind, answers them by script, and hands them to those who wait. */
function createChannel<Call>(usual: FakeAnswer): Channel<Call> {
  const calls: Call[] = [];
  let unread: Call[] = [];
  let waiting: { fits: (call: Call) => boolean; resolve: (call: Call) => void }[] = [];
  let answers: readonly FakeAnswer[] = [usual];
  let decide: Script<Call> | undefined;
  return {
    calls,
    take: (call) => {
      calls.push(call);
      const waiter = waiting.find((each) => each.fits(call));
      waiting = waiting.filter((each) => each !== waiter);
      if (waiter === undefined) unread.push(call);
      else waiter.resolve(call);
      if (decide !== undefined) return decide(call);
      const [answer = usual, ...rest] = answers;
      if (rest.length > 0) answers = rest;
      return answer;
    },
    script: (...script) => {
      const [first] = script;
      decide = typeof first === 'function' ? first : undefined;
      answers = script.filter((each) => typeof each !== 'function');
    },
    next: (fits = () => true) => {
      const found = unread.find(fits);
      unread = unread.filter((each) => each !== found);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => waiting.push({ fits, resolve }));
    },
  };
}

async function readCall(request: IncomingMessage): Promise<FakeCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    rawBody,
    json: jsonOf(rawBody),
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function verdictOn(
  call: FakeCall,
  secret: string,
  at: Date,
): Pick<FakeWebhook, 'isSigned' | 'isExpired' | 'deduplicationId' | 'type'> {
  const expiration = call.headers['x-service-webhook-expiration'] ?? '';
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(Buffer.concat([call.rawBody, Buffer.from(expiration, 'ascii')]))
    .digest('hex');
  return {
    isSigned: secret !== '' && call.headers['x-service-webhook-signature'] === expected,
    isExpired: !(at.getTime() / 1000 <= Number(expiration)),
    deduplicationId: call.headers['x-service-webhook-deduplication-id'] ?? '',
    type: call.headers['x-service-webhook-type'] ?? '',
  };
}

function play(response: ServerResponse, answer: FakeAnswer): void {
  switch (answer.kind) {
    case undefined:
    case 'answer':
      if (answer.delayMs === undefined) sendAnswer(response, answer);
      else setTimeout(() => sendAnswer(response, answer), answer.delayMs).unref();
      return;
    case 'hang':
      return;
    case 'drip_head':
      response.socket?.write('HTTP/1.1 200 OK\r\nX-Drip: ');
      drip(response, () => response.socket?.write('a'));
      return;
    case 'drip_body':
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      drip(response, () => response.write(' '));
      return;
    case 'huge':
      sendHuge(response, answer);
      return;
    case 'cut':
      response.writeHead(answer.status ?? 200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(answer.body),
      });
      response.write(Buffer.from(answer.body).subarray(0, answer.sentBytes), () =>
        response.destroy(),
      );
      return;
    case 'destroy':
      response.destroy();
  }
}

function sendAnswer(response: ServerResponse, answer: PlainAnswer): void {
  const { body = {} } = answer;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = isRaw ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  response.writeHead(answer.status ?? 200, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...answer.headers,
  });
  response.end(bytes);
}

function sendHuge(
  response: ServerResponse,
  { bytes, chunked = false, status = 200 }: Extract<FakeAnswer, { kind: 'huge' }>,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(chunked ? {} : { 'content-length': bytes }),
  });
  const block = Buffer.alloc(16 * 1024, status === 200 ? ' ' : 'x');
  let sent = 0;
  const more = (): void => {
    if (response.destroyed) return;
    if (sent >= bytes) {
      response.end();
      return;
    }
    const size = Math.min(block.length, bytes - sent);
    sent += size;
    response.write(block.subarray(0, size), more);
  };
  more();
}

function drip(response: ServerResponse, write: () => void): void {
  const timer = setInterval(write, dripMs).unref();
  response.on('close', () => clearInterval(timer));
}
