import { Pool } from 'undici';
import { limits } from '../../domain/limits.ts';
import type { AdapterOptions } from '../adapter.ts';
import type { Fields } from '../answer-fields.ts';
import { type Exchange, exchange } from '../exchange.ts';
import type { WorldpayAccount } from './credentials.ts';

/** The calls of Worldpay's Access APIs that are made, for any account. */
export interface WorldpayClient {
  postPayment(account: WorldpayAccount, body: string): Promise<Exchange>;
  /** Payments with this reference: a list of summaries. */
  findPayments(account: WorldpayAccount, transactionReference: string): Promise<Exchange>;
  /** One payment with its events, by Worldpay's own id. */
  readPayment(account: WorldpayAccount, paymentId: string): Promise<Exchange>;
  /** A page of Payment Queries, by its path and query. */
  readQuery(account: WorldpayAccount, path: string): Promise<Exchange>;
  /** Follows an action's link, by its path; without a body where the action takes none. */
  act(account: WorldpayAccount, path: string, body?: Fields): Promise<Exchange>;
  close(): Promise<void>;
}

/** Source: developer.worldpay.com, get started with the Payments API. */
export const worldpayOrigins = {
  test: 'https://try.access.worldpay.com',
  live: 'https://access.worldpay.com',
} as const;

/** The version of the Payments API that this speaks, and the media type of Payment Queries. */
const paymentsVersion = '2024-06-01';
const queriesType = 'application/vnd.worldpay.payment-queries-v1.hal+json';
const cardPaymentsType = 'application/vnd.worldpay.payments-v7+json';

/** A page of 300 payments has about 600 kilobytes. */
const queryBytes = 4 * 1024 * 1024;

/** Connections kept open to one address at most; more charges at once wait for one. */
const connections = 128;

/** Worldpay has no library for these APIs: plain JSON over kept connections. */
export function createWorldpayClient(
  options: Pick<AdapterOptions, 'baseUrl' | 'deadlineMs' | 'reach'>,
): WorldpayClient {
  const { baseUrl, deadlineMs, reach = (origin) => new Pool(origin, { connections }) } = options;
  const pools = {
    test: reach(baseUrl ?? worldpayOrigins.test),
    live: reach(baseUrl ?? worldpayOrigins.live),
  };
  const answerBytes = 4 * limits.requestBodyBytes;
  const read = (account: WorldpayAccount, path: string) =>
    exchange(pools[account.environment], {
      method: 'GET',
      path,
      headers: { authorization: basic(account), accept: queriesType },
      deadlineMs,
      answerBytes: queryBytes,
    });
  return {
    postPayment: (account, body) =>
      exchange(pools[account.environment], {
        method: 'POST',
        path: '/api/payments',
        headers: {
          authorization: basic(account),
          'content-type': 'application/json',
          'wp-api-version': paymentsVersion,
        },
        body,
        deadlineMs,
        answerBytes,
      }),
    findPayments: (account, transactionReference) =>
      read(account, `/paymentQueries/payments?${new URLSearchParams({ transactionReference })}`),
    readPayment: (account, paymentId) =>
      read(account, `/paymentQueries/payments/${encodeURIComponent(paymentId)}`),
    readQuery: read,
    act: (account, path, body) =>
      exchange(pools[account.environment], {
        method: 'POST',
        path,
        headers: { authorization: basic(account), ...actionHeaders(path) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        deadlineMs,
        answerBytes,
      }),
    async close() {
      await Promise.all([pools.test.destroy(), pools.live.destroy()]);
    },
  };
}

/** Links of the Card Payments API name their version by the media type. */
function actionHeaders(path: string): Record<string, string> {
  return path.startsWith('/api/payments/')
    ? { 'content-type': 'application/json', 'wp-api-version': paymentsVersion }
    : { 'content-type': cardPaymentsType };
}

function basic({ username, password }: WorldpayAccount): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
