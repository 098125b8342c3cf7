import type { Failure } from './outbound/failure.ts';

/** Why an answer with this status is no usable one. The server's own words are not repeated. */
export function statusFailure(status: number): Failure {
  if (status === 401 || status === 403) {
    return {
      cause: 'unauthorized',
      detail: `The server answered ${status}: our credentials are refused.`,
    };
  }
  if (status >= 500) {
    return { cause: 'server_error', detail: `The server answered ${status}: an error of its own.` };
  }
  if (status >= 300 && status < 400) {
    return {
      cause: 'redirect',
      detail: `The server answered ${status}: a redirect, which is never followed.`,
    };
  }
  return { cause: 'unexpected_status', detail: `The server answered ${status}.` };
}
