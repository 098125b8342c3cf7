import { detailAnswer, type FetchHandler, jsonAnswer, readBody } from '../fetch-handler.ts';
import { isObject } from '../is-object.ts';
import { type MerchantAuth, refusal, requireCredentials } from '../merchant-auth.ts';
import { decisionFault, type RetryDecision } from './retry-decision.ts';

/** The invoice that is about to be charged. */
export interface RetryStatusQuestion {
  readonly invoiceId: string;
  /** Your own fields, as you reported them; empty when there are none. */
  readonly custom: Readonly<Record<string, unknown>>;
}

export interface RetryStatusHandlerOptions {
  /** How the service proves itself. `{ type: 'none' }` has to be said, since it opens the address. */
  readonly auth: MerchantAuth;
  /** Looks the invoice up in your own records, fresh: this is the last word before the charge. */
  readonly decide: (question: RetryStatusQuestion) => RetryDecision | Promise<RetryDecision>;
  /** Where the invoice's id stands. Default: the last segment of the path, decoded. */
  readonly invoiceIdOf?: (request: Request) => string | undefined;
  /** Told of what `decide` threw, and of a decision that is none. */
  readonly onError?: (error: unknown) => void;
  /** Default: 1 MiB. */
  readonly maxBytes?: number;
}

const maxBytes = 1_048_576;
const notFound = 'An invoice with the provided ID cannot be found';

/**
 * Serves the final check, `POST /retry/{invoice_id}`: 200 with `retry` true or false, 401, 404, 429
 * with Retry-After, 500 where `decide` failed. After 401, 429 and 500 the retry is postponed; nothing
 * is charged without a yes. Throws TypeError at once where the credentials are missing.
 */
export function retryStatusHandler(options: RetryStatusHandlerOptions): FetchHandler {
  requireCredentials(options.auth);
  return async (request) => {
    if (request.method !== 'POST') return detailAnswer(405, 'Use POST', { allow: 'POST' });
    try {
      const refused = await refusal(request, options.auth);
      if (refused !== undefined) return detailAnswer(401, 'Missing or invalid api key', refused);
      const invoiceId = (options.invoiceIdOf ?? lastSegment)(request);
      if (invoiceId === undefined || invoiceId === '') return detailAnswer(404, notFound);
      const body = await readBody(request, options.maxBytes ?? maxBytes);
      if (body === undefined) return detailAnswer(413, 'The body is too large');
      const custom = customOf(body);
      if (custom === undefined) return detailAnswer(400, 'The body is not a JSON object');
      return answerOf(await options.decide({ invoiceId, custom }));
    } catch (error) {
      options.onError?.(error);
      return detailAnswer(500, 'A server error has occurred');
    }
  };
}

function lastSegment(request: Request): string | undefined {
  try {
    return decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

/** The body may be left out. */
function customOf(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (!isObject(value)) return undefined;
    return isObject(value.custom) ? value.custom : {};
  } catch {
    return undefined;
  }
}

/** Throws where the decision is none: a yes that is not whole must not be sent. */
function answerOf(decision: RetryDecision): Response {
  const fault = decisionFault(decision);
  if (fault !== undefined) throw new TypeError(`The decision is not valid: ${fault}.`);
  switch (decision.kind) {
    case 'retry': {
      const { kind: _, ...terms } = decision;
      return jsonAnswer(200, { retry: true, ...terms });
    }
    case 'do_not_retry':
      return jsonAnswer(200, { retry: false, reason: decision.reason });
    case 'not_found':
      return detailAnswer(404, notFound);
    case 'rate_limited':
      return detailAnswer(429, 'Requests have exceeded rate limiting', {
        'retry-after': decision.retryAfterSeconds.toString(),
      });
  }
}
