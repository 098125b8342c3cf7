import type { NoAnswerCause } from '../../recovery/merchant-ports.ts';
import { tlsSentence } from './tls-sentence.ts';

/**
 * Why a call to a merchant's server gave no answer. The detail is one sentence for the operator; it
 * never holds a body, a credential, or the path and query of an address.
 */
export interface Failure {
  readonly cause: NoAnswerCause;
  readonly detail: string;
}

/** Carries a failure through the HTTP library, which passes only errors on. */
export class OutboundError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.name = 'OutboundError';
    this.failure = failure;
  }
}

const timeoutCodes = new Set([
  'ETIMEDOUT',
  'ETIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const tooLargeCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE']);
const notHttpCodes = new Set(['HTTPParserError', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether the connection broke, as a pooled one does that the server closed while we wrote. */
export function isBrokenConnection(error: unknown): boolean {
  return brokenCodes.has(codeOf(error));
}

/** The failure behind an error of the HTTP library. Only codes are kept, never its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof OutboundError) return error.failure;
  const code = codeOf(error);
  if (timeoutCodes.has(code))
    return { cause: 'timeout', detail: 'The server did not connect in time.' };
  if (tooLargeCodes.has(code)) {
    return { cause: 'too_large', detail: `The answer is larger than Recoup reads (${code}).` };
  }
  if (notHttpCodes.has(code)) {
    return { cause: 'malformed', detail: `The answer is not valid HTTP/1.1 (${code}).` };
  }
  if (brokenCodes.has(code)) {
    return {
      cause: 'connection_failed',
      detail: `The connection was closed before the answer was complete (${code}).`,
    };
  }
  const detail = tlsSentence(code) ?? `The connection failed (${code}).`;
  return { cause: 'connection_failed', detail };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // The parser's errors have codes in some versions of the library only.
  if (error.name === 'HTTPParserError') return error.name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
