import { AppError, type ErrorCode, errorRegistry } from '../domain/errors.ts';
import { isDatabaseOutage } from '../domain/held-back.ts';
import type { Fault } from '../domain/json/fault.ts';
import { type Answer, jsonAnswer } from '../http/server/answer.ts';
import { InvalidRequest } from './invalid-request.ts';

/** The one shape that every refusal has. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    /** What is wrong and what to do. */
    readonly message: string;
    /** Every field at fault, of an invalid request. */
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
}

/** The status of each code that an operator's request can meet; any other is a fault of ours. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  invalid_request: 400,
  card_number_refused: 400,
  merchant_url_refused: 400,
  merchant_auth_needed: 400,
  psp_credentials_refused: 422,
  evidence_not_taken: 422,
  acceptance_not_taken: 422,
  operator_unauthorized: 401,
  operator_forbidden: 403,
  portal_forbidden: 403,
  portal_refused: 401,
  scope_missing: 403,
  cross_site_refused: 403,
  host_refused: 421,
  not_found: 404,
  sandbox_only: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  evidence_incomplete: 409,
  merchant_moved: 409,
  clock_not_movable: 409,
  payload_too_large: 413,
  attachment_too_large: 413,
  report_too_large: 413,
  attachment_refused: 415,
  unsupported_media_type: 415,
  too_many_requests: 429,
  share_busy: 429,
  service_busy: 503,
  merchant_moving: 503,
  database_busy: 503,
};

/** What a request ended in, as an answer. What happened inside stays inside. */
export function errorAnswer(error: unknown): Answer {
  if (error instanceof InvalidRequest) return invalid(error.faults);
  if (error instanceof AppError) {
    const status = isDatabaseOutage(error.code) ? 503 : statuses[error.code];
    if (status === undefined) return internal();
    // What broke inside is for the log; what the request did is for whoever sent it.
    if (status === 503) return { ...worded(503, error.code), headers: { 'retry-after': '1' } };
    if (error.code === 'share_busy') {
      return { ...worded(429, error.code), headers: { 'retry-after': '1' } };
    }
    return worded(status, error.code, error);
  }
  // The framework's own refusal of a body that is not JSON by its name.
  const isMediaType = error instanceof Error && 'code' in error && error.code === mediaTypeCode;
  return isMediaType ? worded(415, 'unsupported_media_type') : internal();
}

const mediaTypeCode = 'FST_ERR_CTP_INVALID_MEDIA_TYPE';

/** What a refusal says in place of the registry's words: what is wrong here, and what to do about it. */
type OwnWords = Partial<Pick<AppError, 'detail' | 'action'>>;

/** A refusal in the registry's words, except for its own. */
export function worded(status: number, code: ErrorCode, own?: OwnWords): Answer {
  return refusal(status, { code, message: messageOf(code, own) });
}

/** 429 until there is room for the operator's requests, or for an address's. */
export function tooManyRequests(retryAfterSeconds: number): Answer {
  const headers = { 'retry-after': retryAfterSeconds.toString() };
  return { ...worded(429, 'too_many_requests'), headers };
}

function invalid(faults: readonly Fault[]): Answer {
  const fields = faults.map(({ at, text }) => ({ field: at, message: text }));
  const code = faults.find((fault) => fault.code !== undefined)?.code ?? 'invalid_request';
  return refusal(400, { code, message: messageOf(code), fields });
}

function internal(): Answer {
  return worded(500, 'internal_error');
}

function messageOf(code: ErrorCode, own: OwnWords = {}): string {
  const { what, action } = errorRegistry[code];
  return `${own.detail ?? what} ${own.action ?? action}`;
}

function refusal(status: number, error: ErrorBody['error']): Answer {
  const body: ErrorBody = { error };
  return jsonAnswer(status, body);
}
