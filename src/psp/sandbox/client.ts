import { Pool } from 'undici';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { Reach } from '../adapter.ts';
import { type Exchange, exchange } from '../exchange.ts';

export interface SandboxClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For each whole exchange. */
  readonly deadlineMs: number;
  /** Connections kept open at most; more charges at once wait for one. Default 128. */
  readonly connections?: number;
  readonly reach?: Reach;
}

/** The sandbox's API over one pool of kept connections. */
export interface SandboxClient {
  postCharge(idempotencyKey: string, body: string): Promise<Exchange>;
  /** The charge that was sent with this key, as a list of one or none. */
  findByKey(merchant: string, idempotencyKey: string): Promise<Exchange>;
  /** Every charge of a merchant, the oldest first. */
  list(merchant: string, limit: number, cursor: string | undefined): Promise<Exchange>;
  postRefund(chargeId: string, idempotencyKey: string, body: string): Promise<Exchange>;
  close(): Promise<void>;
}

export function createSandboxClient(options: SandboxClientOptions): SandboxClient {
  const { deadlineMs, connections = 128 } = options;
  const { reach = (origin) => new Pool(origin, { connections }) } = options;
  const pool = reach(options.baseUrl);
  const answerBytes = 4 * limits.requestBodyBytes;
  const authorization = `Bearer ${options.apiKey}`;
  const post = (path: string, idempotencyKey: string, body: string) =>
    exchange(pool, {
      method: 'POST',
      path,
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body,
      deadlineMs,
      answerBytes,
    });
  return {
    postCharge: (idempotencyKey, body) => post('/v1/charges', idempotencyKey, body),
    postRefund: (chargeId, idempotencyKey, body) =>
      post(`/v1/charges/${encodeURIComponent(chargeId)}/refunds`, idempotencyKey, body),
    findByKey: (merchant, idempotencyKey) => {
      const query = new URLSearchParams({ merchant, idempotency_key: idempotencyKey });
      return exchange(pool, {
        method: 'GET',
        path: `/v1/charges?${query}`,
        headers: { authorization },
        deadlineMs,
        answerBytes,
      });
    },
    list: (merchant, limit, cursor) => {
      const query = new URLSearchParams({
        merchant,
        limit: limit.toString(),
        ...present({ cursor }),
      });
      return exchange(pool, {
        method: 'GET',
        path: `/v1/charges?${query}`,
        headers: { authorization },
        deadlineMs,
        answerBytes: limit * answerBytes,
      });
    },
    close: () => pool.destroy(),
  };
}
