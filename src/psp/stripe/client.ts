import type Stripe from 'stripe';
import { type Dispatcher, Pool } from 'undici';
import { present } from '../../domain/present.ts';
import type { AdapterOptions } from '../adapter.ts';
import { type Fields, fieldsOf, textOf, timeOf } from '../answer-fields.ts';
import { type Exchange, exchange } from '../exchange.ts';
import { loadLibrary } from '../load-library.ts';
import { intOf } from './fields.ts';

/** The version that this SDK is made for; a newer SDK does not compile until it is looked at. */
const apiVersion: typeof Stripe.API_VERSION = '2026-10-28.endive';
const publicAddress = 'https://api.stripe.com';
/** Where files are uploaded; the SDK names it itself. */
const filesHost = 'files.stripe.com';
/** A full page of a list of intents with their charges is below 1 MiB. */
const answerBytes = 4 * 1024 * 1024;
const connections = 128;

/** The library itself, for what it has beside calls. */
export const stripeLibrary = () => loadLibrary('stripe') as typeof Stripe;

/** What a call came to. Nothing that the SDK throws gets past it. */
export type Answer<T> =
  /** `at`: by Stripe's own clock, where it said. */
  | { readonly kind: 'answered'; readonly value: T; readonly at?: Date }
  /** No byte was sent: nothing can have been made. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** It may have arrived; no whole answer that can be read came back. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** Stripe answered with an error object. */
  | { readonly kind: 'refused'; readonly status: number; readonly error: StripeError };

/** Stripe's error object (docs.stripe.com/api/errors), as it came. */
export interface StripeError {
  readonly type: string;
  readonly code?: string;
  readonly fields: Fields;
  readonly retryAfterMs?: number;
  /** When Stripe answered, by its own clock. */
  readonly at?: Date;
}

/** One account at Stripe, asked through the official SDK. */
export interface StripeClient {
  /** The options carry the time limit; add an idempotency key where something is written. */
  ask<T>(
    timeoutMs: number,
    call: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>,
  ): Promise<Answer<T>>;
}

/** Connections that every account of this adapter shares: to its API, and to where files are uploaded. */
export interface StripePool {
  readonly api: Dispatcher;
  readonly files: Dispatcher;
  close(): Promise<void>;
}

export function createStripePool({
  baseUrl,
  reach = (origin) => new Pool(origin, { connections }),
}: Pick<AdapterOptions, 'baseUrl' | 'reach'>): StripePool {
  const api = reach(new URL(baseUrl ?? publicAddress).origin);
  // Another server has both in one place.
  const files = baseUrl === undefined ? reach(`https://${filesHost}`) : api;
  return {
    api,
    files,
    async close() {
      await api.destroy();
      if (files !== api) await files.destroy();
    },
  };
}

export function createStripeClient(
  pool: StripePool,
  credentials: { readonly secretKey: string; readonly account?: string },
): StripeClient {
  const { secretKey, account } = credentials;
  const library = stripeLibrary();
  // The SDK refuses an empty key by an exception, Stripe a wrong one by an answer.
  const stripe = new library(secretKey || 'sk_none', {
    apiVersion,
    httpClient: httpClientOver(pool),
    // Retries are the engine's: it commits each charge before it is sent.
    maxNetworkRetries: 0,
    telemetry: false,
    ...present({ stripeAccount: account }),
  });
  return {
    async ask(timeoutMs, call) {
      try {
        const value = await call(stripe, { timeout: timeoutMs });
        const at = answeredAt(fieldsOf(fieldsOf(value)?.lastResponse)?.headers);
        return { kind: 'answered', value, ...present({ at }) };
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>;

/**
 * The SDK's own clients bound neither the whole exchange nor the answer's size, and send a request
 * again after a reset whatever `maxNetworkRetries` says. This one does neither, and knows whether a
 * request was written at all.
 */
function httpClientOver(pool: StripePool): HttpClient {
  return {
    getClientName: () => 'undici',
    async makeRequest(host, _port, path, method, headers, body, _protocol, timeoutMs) {
      const sent = await exchange(host === filesHost ? pool.files : pool.api, {
        method: method === 'GET' ? 'GET' : 'POST',
        path,
        headers: textHeaders(headers),
        ...(method !== 'GET' && { body }),
        deadlineMs: timeoutMs,
        answerBytes,
      });
      if (sent.kind !== 'answered') throw new NoAnswer(sent);
      return {
        getStatusCode: () => sent.status,
        getHeaders: () => sent.headers as Record<string, string>,
        // The SDK hands this on as `lastResponse`.
        getRawResponse: () => ({ headers: sent.headers }),
        toStream: () => sent.text,
        toJSON: async () => readAnswer(sent.status, sent.text),
      };
    },
  };
}

/** The SDK takes whatever has no `error` for a success: a status of another kind must not pass. */
function readAnswer(status: number, text: string): unknown {
  const body = fieldsOf(JSON.parse(text));
  const isError = fieldsOf(body?.error) !== undefined;
  if (body === undefined || isError === (status >= 200 && status < 300)) {
    throw new SyntaxError('the status and the body contradict each other');
  }
  return body;
}

/** Carries an exchange without an answer through the SDK, with no code that the SDK retries. */
class NoAnswer extends Error {
  readonly exchange: Exclude<Exchange, { kind: 'answered' }>;

  constructor(lost: Exclude<Exchange, { kind: 'answered' }>) {
    super(lost.reason);
    this.exchange = lost;
  }
}

function textHeaders(headers: object): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  // The dispatcher counts the body's bytes itself.
  return Object.fromEntries(entries.filter(([name]) => name.toLowerCase() !== 'content-length'));
}

function failureOf(thrown: unknown): Exclude<Answer<never>, { kind: 'answered' }> {
  const { errors } = stripeLibrary();
  if (!(thrown instanceof errors.StripeError)) {
    return { kind: 'lost', reason: 'Stripe gave an answer that cannot be understood' };
  }
  const cause: unknown = thrown.detail;
  if (cause instanceof NoAnswer) return cause.exchange;
  if (thrown instanceof errors.StripeConnectionError) {
    // Only a request that could not be formed throws without an exchange.
    return { kind: 'not_sent', reason: 'the request to Stripe could not be formed' };
  }
  const status = intOf(thrown.statusCode);
  const fields = fieldsOf(thrown.raw);
  if (status === undefined || fields === undefined) {
    return { kind: 'lost', reason: 'Stripe gave an answer that cannot be understood' };
  }
  return { kind: 'refused', status, error: errorOf(fields) };
}

function errorOf(fields: Fields): StripeError {
  const code = textOf(fields.code);
  const wait = textOf(fieldsOf(fields.headers)?.['retry-after']);
  const at = answeredAt(fields.headers);
  return {
    type: textOf(fields.type) ?? 'unknown',
    ...present({ code }),
    ...(wait !== undefined && /^\d{1,6}$/.test(wait) && { retryAfterMs: Number(wait) * 1000 }),
    ...present({ at }),
    fields,
  };
}

/** Stripe's own time of an answer: ours may be another. */
function answeredAt(headers: unknown): Date | undefined {
  return timeOf(fieldsOf(headers)?.date);
}
