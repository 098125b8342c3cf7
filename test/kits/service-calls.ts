import { setTimeout as pause } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { paymentShape } from '../../src/http/views/payment-shape.ts';
import type { operatorDeliveryShape } from '../../src/operator/deliveries/operator-delivery-shape.ts';
import type { NewMerchantBody } from '../../src/operator/merchants/merchant-body.ts';
import type { FakeMerchant } from './fake-merchant.ts';
import type { ServiceEntries } from './service-entries.ts';

/** An answer of one of the service's APIs. `json` is undefined where the body is none. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly json: any;
}

/** Calls to one of the service's APIs, with credentials. None hangs: a late one is an error. */
export interface Caller {
  get(path: string): Promise<CallAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<CallAnswer>;
}

type Reachable = Pick<ServiceEntries, 'recoveryUrl' | 'operatorUrl' | 'operatorToken' | 'apiKey'>;
export type PaymentJson = Static<typeof paymentShape>;
export type DeliveryJson = Static<typeof operatorDeliveryShape>;

/** Longer than any answer takes: an advance of a month on a busy machine is the slowest. */
const answerWithinMs = 100_000;

/** The recovery API, by default with the demo merchant's key. */
export function recoveryApi(service: Reachable, apiKey = service.apiKey): Caller {
  return caller(service.recoveryUrl, { 'x-api-key': apiKey });
}

export function operatorApi(service: Reachable): Caller {
  return caller(service.operatorUrl, { authorization: `Bearer ${service.operatorToken}` });
}

function caller(url: string, credentials: Record<string, string>): Caller {
  return {
    get: (path) => call(`${url}${path}`, { headers: credentials }),
    post: (path, body, headers) =>
      call(`${url}${path}`, {
        method: 'POST',
        headers: {
          ...credentials,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

export async function call(url: string, init: RequestInit = {}): Promise<CallAnswer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs), ...init });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body of an answer that has to have this status. */
export async function expectStatus(answer: Promise<CallAnswer>, status: number) {
  const { status: given, text, json } = await answer;
  if (given !== status) throw new Error(`The answer is ${given}, not ${status}: ${text}`);
  return json;
}

/** A merchant of the service with a server of the test, which trusts its signing secret from now. */
export interface OwnMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
  readonly server: FakeMerchant;
}

const fixedBody = {
  kind: 'fixed',
  window_days: 28,
  max_attempts: 8,
  fixed_days: [1, 3, 5, 7],
} as const;

/** A merchant of the test's own, tried after 1, 3, 5 and 7 days unless something else is asked. */
export async function createMerchant(
  service: Reachable,
  server: FakeMerchant,
  options: Partial<NewMerchantBody> = {},
): Promise<OwnMerchant> {
  const { retryStatusUrl, webhookUrl } = server;
  const body = {
    name: 'Own merchant',
    retry_status_url: retryStatusUrl,
    webhook_url: webhookUrl,
    psps: [{ psp: 'sandbox' }],
    policy: fixedBody,
    ...options,
  };
  const made = await expectStatus(operatorApi(service).post('/api/merchants', body), 201);
  server.trust(made.signing_secret);
  return {
    merchantId: made.id,
    apiKey: made.recovery_api_key,
    signingSecret: made.signing_secret,
    server,
  };
}

/** Moves the sandbox's clock, by an ISO 8601 duration; done when all is done that fell due. */
export async function advance(
  service: Reachable,
  by: string,
): Promise<{ readonly now: string; readonly jumps: number }> {
  return expectStatus(operatorApi(service).post('/api/sandbox/clock', { advance: by }), 200);
}

/** The time of the service. */
export async function serviceNow(service: Reachable): Promise<Date> {
  const clock = await expectStatus(operatorApi(service).get('/api/sandbox/clock'), 200);
  return new Date(clock.now);
}

export async function showPayment(api: Caller, invoiceId: string): Promise<PaymentJson> {
  return expectStatus(api.get(`/recover/payments/${encodeURIComponent(invoiceId)}`), 200);
}

/** Every delivery of a merchant, the newest first, each with the log of its sends. */
export async function listDeliveries(
  service: Reachable,
  merchantId: string,
): Promise<readonly DeliveryJson[]> {
  const deliveries: DeliveryJson[] = [];
  for (let cursor = ''; ; ) {
    const path = `/api/merchants/${merchantId}/deliveries?limit=200${cursor}`;
    const page = await expectStatus(operatorApi(service).get(path), 200);
    deliveries.push(...page.items);
    if (page.next_cursor === undefined) return deliveries;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Has every row read, and answers what holds then. */
async function checkEverything(service: Reachable) {
  const api = operatorApi(service);
  const asked = await expectStatus(api.post('/api/invariants/checks'), 202);
  for (;;) {
    const answer = await expectStatus(api.get('/api/invariants'), 200);
    if (answer.running_check?.id !== asked.id) return answer;
    await pause(50);
  }
}

/** The names of the engine's promises that are broken now. */
export async function brokenPromises(service: Reachable): Promise<readonly string[]> {
  const { items } = await checkEverything(service);
  return items.flatMap((item: { name: string; breaches: number }) =>
    item.breaches === 0 ? [] : [`${item.name}: ${item.breaches}`],
  );
}
