import type { FetchHandler } from '../fetch-handler.ts';
import { type NodeRequest, type NodeResponse, serve } from './node.ts';

/** What is needed of Express's Request. */
export interface ExpressRequest extends NodeRequest {
  /** The whole path; `url` is what is left of it in a router. */
  readonly originalUrl: string;
  readonly body?: unknown;
}

/**
 * A handler as a route of Express 4 or 5: `app.post('/webhooks/retry-results', expressRoute(handler))`.
 * It reads the raw body itself, so mount it before `express.json()`. Where a parser was first, `next`
 * is called with RawBodyError, which says so; a body of `express.raw()` or `express.text()` will do.
 */
export function expressRoute(
  handler: FetchHandler,
): (request: ExpressRequest, response: NodeResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    const { method, originalUrl, headers, readableEnded, body } = request;
    const whole = {
      ...{ method, url: originalUrl, headers, readableEnded, body },
      [Symbol.asyncIterator]: () => request[Symbol.asyncIterator](),
    };
    serve(handler, whole, response).catch(next);
  };
}
