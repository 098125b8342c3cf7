import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PspWebhook } from '../../../src/recovery/psp-ports.ts';
import type { SeenCharge } from '../../psp/conformance.ts';
import { answerCheckoutDispute } from './checkout-disputes.ts';
import {
  actionsJson,
  type Fields,
  foundJson,
  type KeptPayment,
  listedJson,
  metadataOf,
  outcomeOf,
  paymentJson,
} from './checkout-ledger.ts';
import { TestDisputes } from './test-disputes.ts';
import type { TestPsp } from './test-psp.ts';

const secretKey = 'sk_sbox_abcdefghijklmnopqrstuvwxyz2';
const webhookSecret = 'acme_webhook_secret';

export interface CheckoutServer extends TestPsp {
  /** Every request's method and path, in their order. */
  readonly requests: readonly string[];
  payment(index: number): KeptPayment | undefined;
  readonly disputes: TestDisputes;
  /** A webhook as Checkout.com signs it. */
  signedWebhook(event: Fields, secret?: string): PspWebhook;
}

interface State {
  readonly now: () => Date;
  /** Payments of one page of a search at most. */
  readonly maxPageSize: number;
  /** What each search found, by the id that its links have. */
  readonly searches: Map<string, readonly KeptPayment[]>;
  readonly kept: KeptPayment[];
  /** What each key was answered with; undefined while its request runs. */
  readonly byKey: Map<string, KeptPayment | undefined>;
  readonly requests: string[];
  readonly texts: string[];
  readonly disputes: TestDisputes;
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly bytes: Buffer;
}

/** Checkout.com's server as far as charges need it: payments, its list, actions and instruments. */
export async function startCheckoutServer({
  now = () => new Date('2026-11-02T09:00:00Z'),
  maxPageSize = 500,
}: {
  readonly now?: () => Date;
  readonly maxPageSize?: number;
} = {}): Promise<CheckoutServer> {
  const disputes = new TestDisputes();
  const searches = new Map<string, readonly KeptPayment[]>();
  const state: State = {
    now,
    maxPageSize,
    searches,
    kept: [],
    byKey: new Map(),
    requests: [],
    texts: [],
    disputes,
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      void answer(state, { request, response, bytes, body: bytes.toString() });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const credentials = {
    secret_key: secretKey,
    environment: 'sandbox',
    processing_channel_id: 'pc_acme',
    subdomain: 'acme1234',
    webhook_secret: webhookSecret,
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    refusedCredentials: { ...credentials, secret_key: 'sk_sbox_zzzzzzzzzzzzzzzzzzzzzzzzzz2' },
    methods: {
      success: 'src_success',
      decline: 'src_decline_20051_mac_24',
      declined: { code: '20051', category: 'later', adviceCode: '24', network: 'mastercard' },
      lostSuccess: 'src_lost_success',
      lostDecline: 'src_lost_decline_20005',
      lostBefore: 'src_lost_before',
      notMade: ['src_invalid', 'src_forbidden'],
      serverErrors: ['src_error_before', 'src_error_after', 'src_busy', 'src_processing_error'],
    },
    requests: state.requests,
    disputes,
    payment: (index) => state.kept.at(index),
    charges: (invoiceId) => state.kept.filter((kept) => isOf(kept, invoiceId)).map(seen),
    written: () => `${state.texts.join('\n')}\n${JSON.stringify(state.kept)}`,
    signedWebhook: (event, secret = webhookSecret) => {
      const rawBody = Buffer.from(JSON.stringify(event));
      const signature = createHmac('sha256', secret).update(rawBody).digest('hex');
      const receivedAt = new Date('2026-11-02T09:00:00Z');
      return { rawBody, headers: { 'cko-signature': signature }, receivedAt };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Checkout.com is sent no invoice id; the suite's keys hold it. */
function isOf(kept: KeptPayment, invoiceId: string | undefined): boolean {
  return invoiceId === undefined || kept.key === `key-of-${invoiceId}`;
}

function seen(kept: KeptPayment): SeenCharge {
  const metadata = metadataOf(kept);
  const previous = kept.body.previous_payment_id;
  return {
    succeeded: kept.status === 'Authorized',
    idempotencyKey: kept.key,
    amountMinor: kept.amount,
    currency: kept.currency,
    paymentMethodId: kept.sourceId,
    ...(metadata !== undefined && { metadata }),
    ...(typeof previous === 'string' && { networkTransactionId: previous }),
  };
}

async function answer(state: State, call: Call): Promise<void> {
  const { request, body } = call;
  const url = new URL(request.url ?? '', 'http://test');
  state.requests.push(`${request.method} ${url.pathname}${url.search}`);
  state.texts.push(body);
  if (request.headers.authorization !== `Bearer ${secretKey}`) return void end(call, 401);
  const { method = '' } = request;
  const given = answerCheckoutDispute(state.disputes, {
    method,
    path: url.pathname,
    body,
    bytes: call.bytes,
    contentType: request.headers['content-type'],
  });
  if (given === 'broken') return void request.socket.destroy();
  if (given !== undefined) return void end(call, given.status, given.body);
  if (method === 'POST' && url.pathname === '/payments') return pay(state, call);
  if (url.pathname.startsWith('/payments/search')) return void search(state, call, url);
  if (url.pathname === '/payments') {
    const reference = url.searchParams.get('reference');
    const data = state.kept.filter((kept) => kept.reference === reference).map(listedJson);
    return void end(call, 200, { limit: 20, skip: 0, total_count: data.length, data });
  }
  const [, refundOf] = /^\/payments\/(\w+)\/refunds$/.exec(url.pathname) ?? [];
  const paid = state.kept.find(({ id }) => id === refundOf);
  if (paid !== undefined) return void refund(paid, call);
  const [, paymentId] = /^\/payments\/(\w+)$/.exec(url.pathname) ?? [];
  const asked = state.kept.find(({ id }) => id === paymentId);
  if (asked !== undefined) return void end(call, 200, listedJson(asked));
  const [, actionsOf] = /^\/payments\/(\w+)\/actions$/.exec(url.pathname) ?? [];
  const kept = state.kept.find(({ id }) => id === actionsOf);
  if (kept !== undefined) return void end(call, 200, actionsJson(kept));
  const [, instrument] = /^\/instruments\/(src_known_\w+)$/.exec(url.pathname) ?? [];
  if (instrument === undefined) return void end(call, 404);
  end(call, 200, { id: instrument, type: 'card', customer: { id: `cus_of_${instrument}` } });
}

/** A search, and its further pages by their links. */
function search({ kept, searches, maxPageSize, now }: State, call: Call, url: URL): void {
  const [, , , known] = url.pathname.split('/');
  const id = known ?? `search_${searches.size + 1}`;
  const start = Number(url.searchParams.get('token') ?? 0);
  let size = maxPageSize;
  if (known === undefined) {
    const { from, to, limit } = JSON.parse(call.body) as Record<string, string>;
    const isAsked = (at: Date) => at >= new Date(from ?? 0) && at <= new Date(to ?? now());
    searches.set(id, kept.filter(({ requestedOn }) => isAsked(requestedOn)).toReversed());
    size = Math.min(size, Number(limit ?? 10));
  }
  const found = searches.get(id) ?? [];
  const after = start + size;
  const next = `https://acme1234.api.sandbox.checkout.com/payments/search/${id}?token=${after}`;
  const links = after < found.length ? { next: { href: next } } : {};
  const data = found.slice(start, after).map(foundJson);
  end(call, 200, { data, _links: links });
}

/** Remembers no keys: as Checkout.com does after a day. */
function refund(paid: KeptPayment, call: Call): void {
  const { amount, reference } = JSON.parse(call.body) as { amount: number; reference: string };
  const refunded = paid.refunds.reduce((sum, action) => sum + Number(action.amount), 0);
  if (paid.status === 'Declined' || refunded + amount > paid.amount) {
    end(call, 403);
    return;
  }
  const id = `act_refund_${paid.refunds.length + 1}_of_${paid.id}`;
  paid.refunds.push({ id, type: 'Refund', amount, reference, approved: true });
  end(call, 202, { action_id: id, reference });
}

async function pay(state: State, call: Call): Promise<void> {
  const body = JSON.parse(call.body) as Fields;
  const key = call.request.headers['cko-idempotency-key'];
  // A test's own rule: without a key a repeated request would charge twice.
  if (typeof key !== 'string') return void end(call, 422, invalid('idempotency_key_missing'));
  if (state.byKey.has(key)) {
    const earlier = state.byKey.get(key);
    return void (earlier === undefined ? end(call, 429) : end(call, 201, paymentJson(earlier)));
  }
  state.byKey.set(key, undefined);
  // Another request with the same key finds this one on its way.
  await nextTurn();
  const kept = settle(state, call, { body, key });
  // Only what went well is remembered: after an error the same key is a new charge.
  if (kept === undefined) state.byKey.delete(key);
  else state.byKey.set(key, kept);
}

/** The payment that was made and answered, or is remembered; none where the request failed. */
function settle(
  state: State,
  call: Call,
  { body, key }: { readonly body: Fields; readonly key: string },
): KeptPayment | undefined {
  const sourceId = String((body.source as Fields | undefined)?.id);
  if (sourceId === 'src_lost_before') return void call.request.socket.destroy();
  if (sourceId === 'src_error_before') return void end(call, 500);
  if (sourceId === 'src_busy') return void end(call, 429);
  if (sourceId === 'src_forbidden') return void end(call, 403);
  if (sourceId === 'src_invalid') return void end(call, 422, invalid('source_id_invalid'));
  if (sourceId === 'src_processing_error') {
    return void end(call, 422, { ...invalid('gateway_error'), error_type: 'processing_error' });
  }
  // The limit of American Express.
  if (sourceId.startsWith('src_amex') && String(body.reference).length > 30) {
    return void end(call, 422, invalid('reference_invalid'));
  }
  if (body.processing_channel_id !== 'pc_acme') {
    return void end(call, 422, invalid('processing_channel_id_invalid'));
  }
  const kept: KeptPayment = {
    ...outcomeOf(sourceId),
    id: `pay_${String(state.kept.length + 1).padStart(26, '0')}`,
    requestedOn: state.now(),
    body,
    sourceId,
    reference: String(body.reference),
    key,
    amount: Number(body.amount),
    currency: String(body.currency),
    refunds: [],
  };
  state.kept.push(kept);
  if (sourceId === 'src_error_after') return void end(call, 500);
  if (sourceId.startsWith('src_lost_')) call.request.socket.destroy();
  else end(call, kept.status === 'Pending' ? 202 : 201, paymentJson(kept));
  return kept;
}

/** A request refused as such. */
export function invalid(code: string): Fields {
  return { request_id: 'req_1', error_type: 'request_invalid', error_codes: [code] };
}

function end({ response }: Call, status: number, body?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cko-request-id': 'req_1' });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
