import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { parseForm, textsAt } from '../../../src/faults/psps/stripe/form.ts';
import type { PspCredentials } from '../../../src/psp/adapter.ts';
import type { PspWebhook } from '../../../src/recovery/psp-ports.ts';
import type { GatewayUnderTest, SeenCharge } from '../../psp/conformance.ts';
import { answerFile } from './stripe/disputes.ts';
import { expanded } from './stripe/expand.ts';
import {
  type FailedInvoice,
  type FailedInvoiceInput,
  failedInvoice,
  intentOf,
} from './stripe/failed-invoice.ts';
import { IdempotencyMemory, type WireAnswer } from './stripe/idempotency.ts';
import { keyFault, secretKey } from './stripe/keys.ts';
import { type Fault, testMethods } from './stripe/methods.ts';
import type { StripeObject } from './stripe/objects.ts';
import { answerRoute, type Outcome } from './stripe/routes.ts';
import { byItself, StripeWorld } from './stripe/world.ts';

/** A request as it came, for those who look at what was sent. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface StripeServer {
  readonly url: string;
  readonly credentials: PspCredentials;
  readonly refusedCredentials: PspCredentials;
  readonly methods: GatewayUnderTest['methods'];
  readonly world: StripeWorld;
  readonly requests: readonly SeenRequest[];
  charges(invoiceId?: string): readonly SeenCharge[];
  /** Every text that came to the server or that it holds. */
  written(): string;
  /** An event as Stripe sends it, with the signature of this endpoint's secret. */
  signedWebhook(event: unknown, secret?: string): PspWebhook;
  /** An open invoice of a subscription whose first charge was declined. */
  failedSubscriptionInvoice(input?: FailedInvoiceInput): FailedInvoice;
  /** Stripe's own next try of an invoice, with that method. */
  payByStripeItself(invoiceId: string, methodId: string): void;
  /** Once, before a request to a path with that end is looked at: does something, or breaks it off. */
  beforeNext(pathEnd: string, action: (() => void) | 'break'): void;
  /** Another account at the same address, with objects and keys of its own. */
  openAccount(id: string): OtherAccount;
  close(): Promise<void>;
}

export interface OtherAccount {
  readonly credentials: PspCredentials;
  readonly world: StripeWorld;
  charges(invoiceId?: string): readonly SeenCharge[];
  signedWebhook(event: unknown): PspWebhook;
}

const webhookSecret = 'whsec_of_the_test_server';

/** A pretended Stripe: its wire format, its idempotency, a ledger, and methods that do as named. */
export async function startStripeServer(
  options: { readonly now?: () => Date } = {},
): Promise<StripeServer> {
  const now = options.now ?? (() => new Date());
  const world = new StripeWorld(now);
  const accounts = new Map([[secretKey, { world, memory: new IdempotencyMemory(now) }]]);
  const requests: SeenRequest[] = [];
  let before: { readonly pathEnd: string; readonly action: (() => void) | 'break' } | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const body = bytes.toString();
      requests.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
      });
      if (before !== undefined && request.url?.endsWith(before.pathEnd)) {
        const { action } = before;
        before = undefined;
        if (action === 'break') {
          response.destroy();
          return;
        }
        action();
      }
      void answer(accounts, request, bytes, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    credentials: { secret_key: secretKey, webhook_secret: webhookSecret },
    refusedCredentials: { secret_key: 'sk_test_of_nobody', webhook_secret: webhookSecret },
    methods: conformanceMethods,
    world,
    requests,
    charges: (invoiceId) => seenCharges(world, invoiceId),
    written: () => JSON.stringify([requests, [...world.objects.values()]]),
    signedWebhook: (event, secret = webhookSecret) => signed(event, secret, now()),
    failedSubscriptionInvoice: (input) => failedInvoice(world, input),
    payByStripeItself(invoiceId, methodId) {
      const invoice = world.find(invoiceId, 'invoice');
      if (invoice !== undefined) world.charge(intentOf(world, invoice), methodId, byItself);
    },
    beforeNext(pathEnd, action) {
      before = { pathEnd, action };
    },
    openAccount(id) {
      const other = new StripeWorld(now, id);
      const key = `sk_test_of_${id}`;
      const secret = `whsec_of_${id}`;
      accounts.set(key, { world: other, memory: new IdempotencyMemory(now) });
      return {
        credentials: { secret_key: key, webhook_secret: secret },
        world: other,
        charges: (invoiceId) => seenCharges(other, invoiceId),
        signedWebhook: (event) => signed(event, secret, now()),
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const conformanceMethods: GatewayUnderTest['methods'] = {
  success: 'pm_success',
  decline: 'pm_decline',
  declined: { category: 'later', code: 'insufficient_funds', network: 'visa', networkCode: '51' },
  lostSuccess: 'pm_lost_success',
  lostDecline: 'pm_lost_decline',
  lostBefore: 'pm_lost_before',
  notMade: ['pm_rate_limited', 'pm_too_small', 'pm_that_is_not_there'],
  serverErrors: ['pm_500_before', 'pm_500_after', 'pm_in_flight', 'pm_half_answer'],
};

/** The accounts by their secret keys. A restricted key is of the first. */
type Accounts = ReadonlyMap<
  string,
  { readonly world: StripeWorld; readonly memory: IdempotencyMemory }
>;

async function answer(
  accounts: Accounts,
  request: IncomingMessage,
  bytes: Buffer,
  response: ServerResponse,
): Promise<void> {
  const body = bytes.toString();
  const method = request.method ?? 'GET';
  const { pathname, search } = new URL(request.url ?? '/', 'http://stripe.test');
  const { authorization } = request.headers;
  const secret = authorization?.replace(/^Bearer /, '') ?? '';
  const account = accounts.get(secret) ?? accounts.get(secretKey);
  if (account === undefined) throw new Error('the server has an account');
  const { world, memory } = account;
  const known = new Set(accounts.keys());
  const refused = keyFault(
    known,
    authorization,
    header(request, 'stripe-account'),
    method,
    pathname,
  );
  if (refused !== undefined) return send(response, world, refused);
  const key = header(request, 'idempotency-key') ?? '';
  if (method === 'POST') {
    const kept = memory.begin(key, `${pathname}?${body}`);
    if (kept !== undefined) return send(response, world, kept);
  }
  // A request takes a moment, in which the same key may come again.
  await new Promise(setImmediate);
  const isFile = pathname === '/v1/files';
  const form = parseForm(method === 'GET' ? search.slice(1) : isFile ? '' : body);
  const outcome = isFile
    ? answerFile(world.disputes, request.headers['content-type'], bytes)
    : answerRoute(world, { method, path: pathname, form, idempotencyKey: key });
  const fault = testMethods[outcome.methodId ?? '']?.fault;
  const answered = wireAnswer(world, outcome, textsAt(form, 'expand'), fault);
  if (method === 'POST' && fault === 'break_before') memory.forget(key);
  else if (method === 'POST') memory.end(key, answered);
  sendFaulty(response, world, answered, fault);
}

function wireAnswer(
  world: StripeWorld,
  outcome: Outcome,
  expand: readonly string[],
  fault: Fault | undefined,
): WireAnswer {
  if (fault === 'error_500_before' || fault === 'error_500_after') {
    const error = { type: 'api_error', message: 'An unknown error occurred' };
    return { status: 500, body: { error }, headers: { 'stripe-should-retry': 'false' } };
  }
  if (outcome.kind === 'object')
    return { status: 200, body: expanded(world, outcome.body, expand) };
  const { status, error, headers } = outcome.refusal;
  return { status, body: { error: structuredClone(error) }, ...(headers && { headers }) };
}

function sendFaulty(
  response: ServerResponse,
  world: StripeWorld,
  answered: WireAnswer,
  fault: Fault | undefined,
): void {
  if (fault === 'break_before' || fault === 'break_after') response.destroy();
  else if (fault === 'half_answer') {
    const text = JSON.stringify(answered.body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  } else send(response, world, answered);
}

function send(response: ServerResponse, world: StripeWorld, answered: WireAnswer): void {
  response.writeHead(answered.status, {
    'content-type': 'application/json',
    date: new Date(world.seconds() * 1000).toUTCString(),
    'request-id': world.nextId('req'),
    'stripe-version': Stripe.API_VERSION,
    ...answered.headers,
  });
  response.end(JSON.stringify(answered.body));
}

function seenCharges(world: StripeWorld, invoiceId: string | undefined): readonly SeenCharge[] {
  return world
    .all('charge')
    .filter(
      (charge) => invoiceId === undefined || metadataOf(charge).recoup_invoice_id === invoiceId,
    )
    .map((charge) => ({
      succeeded: charge.status === 'succeeded',
      idempotencyKey: world.keys.get(charge.id) ?? '',
      amountMinor: Number(charge.amount),
      currency: String(charge.currency).toUpperCase(),
      paymentMethodId: String(charge.payment_method),
      metadata: metadataOf(charge),
    }));
}

function metadataOf(charge: StripeObject): Record<string, string> {
  return charge.metadata as Record<string, string>;
}

function signed(event: unknown, secret: string, at: Date): PspWebhook {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(at.getTime() / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return {
    rawBody: Buffer.from(payload),
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    receivedAt: at,
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
