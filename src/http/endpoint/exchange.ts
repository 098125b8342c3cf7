import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../server/answer.ts';
import { type RawBody, readBody } from '../server/read-body.ts';
import type { Endpoint } from './define-endpoint.ts';
import { goneSignal } from './is-gone.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once a request has reached an endpoint; null on other paths. */
    exchange: Exchange | null;
  }
}

/** Who sends a request, once that is known. Each API's callers have more to them. */
export interface AnyCaller {
  /** Absent: the operator. */
  readonly merchantId?: string;
}

/** A request on its way through the stages of its API to its endpoint. */
export interface Exchange<Sender extends AnyCaller = AnyCaller> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly endpoint: Endpoint;
  /** The endpoint's method and path, with its parameters' names. */
  readonly route: string;
  /** The Content-Type as it came. */
  readonly contentType: string | undefined;
  /** Set by the stage that knows the credentials. */
  caller?: Sender;
  /** The UUID of the receipt, where the API gives receipts. */
  receiptUuid?: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Reads the body, when it is asked for first: a refusal before that costs no reading. */
  readBody(limitBytes: number): Promise<RawBody>;
}

/**
 * One thing that holds for every request of an API, such as who may call and how often. It answers
 * itself, or calls `next` and may change what comes back.
 */
export type Stage<Sender extends AnyCaller = AnyCaller> = (
  exchange: Exchange<Sender>,
  next: () => Promise<Answer>,
) => Promise<Answer>;

export function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  of: Pick<Exchange, 'endpoint' | 'route'>,
): Exchange {
  let body: Promise<RawBody> | undefined;
  let signal: AbortSignal | undefined;
  const { headers } = request.raw;
  const contentType = headers['content-type'];
  // The framework would refuse a type that is none; the APIs judge types themselves.
  headers['content-type'] = 'application/octet-stream';
  return {
    ...of,
    request,
    reply,
    contentType,
    get signal() {
      signal ??= goneSignal({ request, reply });
      return signal;
    },
    readBody(limitBytes) {
      body ??= new Promise((resolve) => readBody(request.raw, limitBytes, resolve));
      return body;
    },
  };
}

/** Whether a request says that a body follows. */
export function hasBody({ request }: Pick<Exchange, 'request'>): boolean {
  const { headers } = request.raw;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
