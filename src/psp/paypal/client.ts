import { Pool } from 'undici';
import { addMs, type Clock, minuteMs, secondMs } from '../../domain/clock.ts';
import { limits } from '../../domain/limits.ts';
import type { AdapterOptions } from '../adapter.ts';
import { parsedFields, textOf } from '../answer-fields.ts';
import { type Exchange, exchange } from '../exchange.ts';
import type { MultipartForm } from '../multipart-form.ts';
import type { PaypalAccount } from './credentials.ts';

/** The calls of PayPal's REST APIs that are made for one account. */
export interface PaypalClient {
  /** A new token, to show whether the credentials are right. */
  authenticate(): Promise<Exchange>;
  /** POST /v1/notifications/verify-webhook-signature */
  verifyWebhook(body: string): Promise<Exchange>;
  /** GET /v1/customer/disputes/{id} */
  dispute(id: string): Promise<Exchange>;
  /** POST /v1/customer/disputes/{id}/provide-evidence */
  provideEvidence(id: string, form: MultipartForm): Promise<Exchange>;
  /** POST /v1/customer/disputes/{id}/accept-claim, by a refund of the whole. */
  acceptClaim(id: string): Promise<Exchange>;
}

/** The connections of all accounts, shared by the clients of one adapter. */
export interface PaypalPool {
  client(account: PaypalAccount): PaypalClient;
  close(): Promise<void>;
}

/** Source: paypal-rest-api-specifications, customer_disputes_v1.json and notifications_webhooks_v1.json. */
const origins = {
  sandbox: 'https://api-m.sandbox.paypal.com',
  live: 'https://api-m.paypal.com',
} as const;

const connections = 32;
/** A token is not used to its last moment: the request has to arrive with it. */
const marginMs = minuteMs;

/** PayPal has no library for webhooks and disputes: plain JSON over kept connections. */
export function createPaypalPool(options: AdapterOptions): PaypalPool {
  const { baseUrl, deadlineMs, clock } = options;
  const pools = {
    sandbox: new Pool(baseUrl ?? origins.sandbox, { connections }),
    live: new Pool(baseUrl ?? origins.live, { connections }),
  };
  return {
    client: (account) =>
      createClient({ pool: pools[account.environment], deadlineMs, clock }, account),
    async close() {
      await Promise.all([pools.sandbox.destroy(), pools.live.destroy()]);
    },
  };
}

interface ClientDeps {
  readonly pool: Pool;
  readonly deadlineMs: number;
  readonly clock: Clock;
}

function createClient(
  { pool, deadlineMs, clock }: ClientDeps,
  account: PaypalAccount,
): PaypalClient {
  const rules = { deadlineMs, answerBytes: 4 * limits.pspWebhookBytes };
  let token: { readonly text: string; readonly until: Date } | undefined;

  const authenticate = () =>
    exchange(pool, {
      method: 'POST',
      path: '/v1/oauth2/token',
      headers: {
        authorization: basic(account),
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
      ...rules,
    });

  /** One more try with a new token where the kept one was taken back. */
  async function call(request: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body?: string | Uint8Array;
    readonly contentType?: string;
  }): Promise<Exchange> {
    const kept = token !== undefined && token.until.getTime() > clock.now().getTime();
    const first = await callOnce(request);
    if (first.kind !== 'answered' || first.status !== 401 || !kept) return first;
    token = undefined;
    return callOnce(request);
  }

  async function callOnce({
    contentType = 'application/json',
    ...request
  }: Parameters<typeof call>[0]): Promise<Exchange> {
    if (token === undefined || token.until.getTime() <= clock.now().getTime()) {
      const sent = await authenticate();
      const fields = sent.kind === 'answered' ? parsedFields(sent.text) : undefined;
      const text = textOf(fields?.access_token);
      if (sent.kind !== 'answered' || sent.status !== 200) return sent;
      // Not the answer to what was asked: nobody may take this 200 for it.
      if (text === undefined) return { kind: 'not_sent', reason: 'PayPal gave no token' };
      const livesMs = Number(fields?.expires_in) * secondMs;
      token = { text, until: addMs(clock.now(), Math.max(0, livesMs - marginMs) || 0) };
    }
    const headers = { authorization: `Bearer ${token.text}`, accept: 'application/json' };
    const type = { 'content-type': contentType };
    return exchange(pool, { ...request, headers: { ...headers, ...type }, ...rules });
  }

  return {
    authenticate,
    verifyWebhook: (body) =>
      call({ method: 'POST', path: '/v1/notifications/verify-webhook-signature', body }),
    dispute: (id) => call({ method: 'GET', path: pathOf(id) }),
    provideEvidence: (id, form) =>
      call({ method: 'POST', path: `${pathOf(id)}/provide-evidence`, ...form }),
    acceptClaim: (id) =>
      call({
        method: 'POST',
        path: `${pathOf(id)}/accept-claim`,
        body: JSON.stringify(wholeRefund),
      }),
  };
}

const wholeRefund = { note: 'The claim is accepted.', accept_claim_type: 'REFUND' } as const;

function pathOf(disputeId: string): string {
  return `/v1/customer/disputes/${encodeURIComponent(disputeId)}`;
}

function basic({ clientId, clientSecret }: PaypalAccount): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
}
