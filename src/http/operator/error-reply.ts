import { AppError, type ErrorCode, errorRegistry } from '../../domain/errors.ts';
import { InvalidRequest } from './invalid-request.ts';

/** An answer that refuses: its status, and the one shape that every refusal has. */
export interface ErrorReply {
  readonly status: number;
  readonly body: ErrorBody;
}

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    /** Every field at fault, of an invalid request. */
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
}

/** The status of each code that an operator's request can meet; any other is a fault of ours. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  invalid_request: 400,
  merchant_url_refused: 400,
  operator_unauthorized: 401,
  not_found: 404,
  sandbox_only: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  database_unreachable: 503,
};

/** What the server's own refusals are called; Fastify names them by these codes. */
const ofServer: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** The answer to whatever a request ended in. What happened inside stays inside. */
export function errorReply(error: unknown): ErrorReply {
  if (error instanceof InvalidRequest) {
    const fields = error.faults.map(({ at, text }) => ({ field: at, message: text }));
    return { status: 400, body: { error: { ...words('invalid_request'), fields } } };
  }
  if (error instanceof AppError) {
    const status = statuses[error.code];
    if (status === undefined) return internal();
    // What broke inside is for the log; what the request did is for whoever sent it.
    const body = status >= 500 ? words(error.code) : words(error.code, error.detail);
    return { status, body: { error: body } };
  }
  const code = error instanceof Error && 'code' in error ? ofServer[String(error.code)] : undefined;
  if (code === undefined) return internal();
  return { status: statuses[code] ?? 500, body: { error: words(code) } };
}

function internal(): ErrorReply {
  return { status: 500, body: { error: words('internal_error') } };
}

function words(code: ErrorCode, detail?: string): { code: ErrorCode; message: string } {
  const { what, action } = errorRegistry[code];
  return { code, message: `${detail ?? what} ${action}` };
}
