import { isObject } from '../is-object.ts';

/** What kind of refusal an answer is; the same words for both APIs. */
export type ApiErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'server_error'
  | 'unexpected_answer';

const actions: Readonly<Record<ApiErrorCode, string>> = {
  invalid_request: 'Correct what `faults` names, and send it again.',
  unauthorized:
    'Check that the key or the password is one that Recoup issued to this merchant, whole, not revoked, and with the scope that the call needs.',
  not_found: 'Check the id, and that it is of the merchant whose key this is.',
  conflict: 'Read the current state and decide again.',
  gone: 'Nothing: what the address names has ended.',
  too_large: 'Send less at once.',
  unsupported_media_type: 'Send JSON, with Content-Type: application/json.',
  idempotency_key_reused: 'Use a key of its own for each request.',
  rate_limited: 'Wait for `retryAfterMs`, and send fewer requests at a time.',
  server_error:
    'Send it again later. If it stays, give the `requestId` to who operates the service: its log names it.',
  unexpected_answer:
    'Check that baseUrl is the address of the API, and that no proxy answers in its place.',
};

/** One thing that is wrong with a request. */
export interface ApiFault {
  /** A dotted path of the body, the name of a header or query parameter, or `body`. */
  readonly where: string;
  readonly text: string;
}

/** The service answered, and not with success. Its text holds nothing that you sent. */
export class RecoupApiError extends Error {
  override readonly name = 'RecoupApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  /** Names the request in the service's logs; empty where something else answered. */
  readonly requestId: string;
  readonly faults: readonly ApiFault[];
  /** What to do about it, for the engineer who reads the log. */
  readonly action: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(fields: {
    readonly code: ApiErrorCode;
    readonly status: number;
    readonly message: string;
    readonly requestId: string;
    readonly faults?: readonly ApiFault[];
    readonly retryAfterMs?: number | undefined;
  }) {
    super(`${fields.message} [${fields.code}, status ${fields.status}]`);
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.faults = fields.faults ?? [];
    this.action = actions[fields.code];
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** No whole answer came. What was asked may have been done: repeat it with the same key. */
export class RecoupConnectionError extends Error {
  override readonly name = 'RecoupConnectionError';
  readonly code: 'timeout' | 'network';
  /** What to do about it, for the engineer who reads the log. */
  readonly action =
    'Check that baseUrl is the address of the API, that the service runs and that it can be reached from here.';

  constructor(code: 'timeout' | 'network', options?: ErrorOptions) {
    const words = code === 'timeout' ? 'No answer came in time' : 'The connection failed';
    super(`${words} [${code}]`, options);
    this.code = code;
  }
}

/** The error of an answer that is no success, from its body in either API's form. */
export function apiErrorOf(response: Response, text: string, nowMs: number): RecoupApiError {
  const body = objectOf(text);
  const faults = [...recoveryFaults(body.errors), ...disputesFaults(body.detail)];
  const words = [body.message, body.errors, body.detail].filter((part) => typeof part === 'string');
  const all = [...words, ...faults.map((fault) => `${fault.where}: ${fault.text}`)].join('; ');
  return new RecoupApiError({
    code: codeOf(response.status, 'message' in body),
    status: response.status,
    message: all === '' ? 'The answer is not one of the service' : all,
    requestId: response.headers.get('request-id') ?? '',
    faults,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), nowMs),
  });
}

/** 422 is a fault of the body in the disputes API, and of the key in the recovery API. */
function codeOf(status: number, isRecovery: boolean): ApiErrorCode {
  if (status >= 500) return 'server_error';
  if (status === 422) return isRecovery ? 'idempotency_key_reused' : 'invalid_request';
  return codes[status] ?? 'unexpected_answer';
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

/** `errors`: objects that map a place to what is wrong there. */
function recoveryFaults(errors: unknown): readonly ApiFault[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .filter(isObject)
    .flatMap((error) =>
      Object.entries(error).map(([where, text]) => ({ where, text: String(text) })),
    );
}

/** `detail`: objects with `loc` and `msg`. */
function disputesFaults(detail: unknown): readonly ApiFault[] {
  if (!Array.isArray(detail)) return [];
  return detail.filter(isObject).map(({ loc, msg }) => ({
    where: Array.isArray(loc) ? loc.join('.') : 'body',
    text: String(msg),
  }));
}

/** Seconds, or a date of HTTP (RFC 9110 section 10.2.3); undefined for anything else. */
function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
