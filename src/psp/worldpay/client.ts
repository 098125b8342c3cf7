import { Pool } from 'undici';
import { limits } from '../../domain/limits.ts';
import type { AdapterOptions } from '../adapter.ts';
import { type Exchange, exchange } from '../exchange.ts';
import type { WorldpayAccount } from './credentials.ts';

/** The calls of Worldpay's Access APIs that are made, for any account. */
export interface WorldpayClient {
  postPayment(account: WorldpayAccount, body: string): Promise<Exchange>;
  /** Payments with this reference: a list of summaries. */
  findPayments(account: WorldpayAccount, transactionReference: string): Promise<Exchange>;
  /** One payment with its events, by Worldpay's own id. */
  readPayment(account: WorldpayAccount, paymentId: string): Promise<Exchange>;
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
      answerBytes,
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
    async close() {
      await Promise.all([pools.test.destroy(), pools.live.destroy()]);
    },
  };
}

function basic({ username, password }: WorldpayAccount): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
