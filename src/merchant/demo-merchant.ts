import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { AppError } from '../domain/errors.ts';
import { limits } from '../domain/limits.ts';
import { createInbox, type Inbox, type ReceivedEvent } from './demo-inbox.ts';
import { isSameText, webhookFault } from './verify-webhook.ts';

export interface DemoMerchantDeps {
  readonly clock: Clock;
  /** The key that calls must carry in x-api-key. */
  readonly apiKey: string;
  /** Signing secrets to accept, read at each webhook since they are issued later, and rotated. */
  readonly signingSecrets: () => readonly string[];
  /** Called once for each event, after its signature and expiration held. */
  readonly onVerified?: (received: ReceivedEvent) => void;
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
}

export interface DemoMerchant {
  readonly origin: string;
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const unauthorized = answer(401, 'Missing or invalid api key');
const serverError = answer(500, 'A server error has occurred');
const invoiceNotFound = answer(404, 'An invoice with the provided ID cannot be found');
const delivered = answer(200, 'Event delivered successfully');

/** What the start of an invoice id makes the demo answer, so that each case can be tried. */
const lookupAnswers: readonly (readonly [prefix: string, answer: Answer])[] = [
  ['inv_unknown', invoiceNotFound],
  [
    'inv_rate_limited',
    { ...answer(429, 'Requests have exceeded rate limiting'), headers: { 'retry-after': '60' } },
  ],
  ['inv_server_error', serverError],
  [
    'inv_forgiven',
    { status: 200, body: { retry: false, reason: 'User Outstanding Invoice Forgiven' } },
  ],
  ['', { status: 200, body: { retry: true, reason: 'Invoice open' } }],
];

/**
 * A merchant's server for the sandbox, on loopback: `POST /retry/{invoice_id}` answers the final
 * check, `POST /webhooks/retry-results` verifies and takes events, `GET /received` lists the last
 * ones. It plays a party outside: nothing of the service is reached but by HTTP.
 * Throws AppError port_taken.
 */
export async function startDemoMerchant(deps: DemoMerchantDeps): Promise<DemoMerchant> {
  const inbox = createInbox();
  const server = createServer((request, response) => {
    respond(deps, inbox, request).then(
      (result) => send(response, result),
      () => send(response, serverError),
    );
  });
  await listen(server, deps.port ?? 0);
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    origin,
    retryStatusUrl: `${origin}/retry/{invoice_id}`,
    webhookUrl: `${origin}/webhooks/retry-results`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  deps: DemoMerchantDeps,
  inbox: Inbox,
  request: IncomingMessage,
): Promise<Answer> {
  const path = URL.parse(request.url ?? '', 'http://demo')?.pathname ?? '';
  const invoiceId = /^\/retry\/([^/]+)$/.exec(path)?.[1];
  if (request.method === 'GET' && path === '/received') return { status: 200, body: inbox.last() };
  const isWebhook = path === '/webhooks/retry-results';
  if (request.method !== 'POST' || (invoiceId === undefined && !isWebhook)) {
    return answer(404, 'Not found');
  }
  if (!isSameText(headerOf(request, 'x-api-key'), deps.apiKey)) return unauthorized;
  const body = await readBody(request);
  if (body === undefined) return answer(413, 'The body is too large');
  return invoiceId === undefined ? takeWebhook(deps, inbox, request, body) : lookUp(invoiceId);
}

function lookUp(invoiceId: string): Answer {
  return lookupAnswers.find(([prefix]) => invoiceId.startsWith(prefix))?.[1] ?? serverError;
}

function takeWebhook(
  deps: DemoMerchantDeps,
  inbox: Inbox,
  request: IncomingMessage,
  body: Buffer,
): Answer {
  const receivedAt = deps.clock.now();
  const fault = webhookFault({
    secrets: deps.signingSecrets(),
    body,
    expiration: headerOf(request, 'x-service-webhook-expiration'),
    signature: headerOf(request, 'x-service-webhook-signature'),
    now: receivedAt,
  });
  if (fault !== undefined) return answer(401, fault);
  const received: ReceivedEvent = {
    deduplicationId: headerOf(request, 'x-service-webhook-deduplication-id'),
    type: headerOf(request, 'x-service-webhook-type'),
    receivedAt,
    event: JSON.parse(body.toString('utf8')),
  };
  // Delivery is at least once: an id that was seen is the same event, and acknowledged again.
  if (inbox.add(received)) deps.onVerified?.(received);
  return delivered;
}

/** The whole body, or undefined when it is larger than any webhook. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // Read on all the same: leaving the loop would cut the connection before the answer.
    if (bytes <= limits.merchantAnswerBytes) chunks.push(chunk);
  }
  return bytes <= limits.merchantAnswerBytes ? Buffer.concat(chunks) : undefined;
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

function answer(status: number, detail: string): Answer {
  return { status, body: { detail } };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      const detail = `Port ${port} of the demo merchant is taken.`;
      throw new AppError('port_taken', detail, { cause: error });
    }
    throw error;
  }
}

function portOf(server: Server): number {
  const address = server.address() as AddressInfo;
  return address.port;
}
