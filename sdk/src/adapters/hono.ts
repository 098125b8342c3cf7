import type { FetchHandler } from '../fetch-handler.ts';

/** What is needed of Hono's Context. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
}

/**
 * A handler as a route of Hono: `app.post('/webhooks/retry-results', honoRoute(handler))`. A body that
 * a middleware has read is taken from Hono's own copy of it.
 */
export function honoRoute(handler: FetchHandler): (context: HonoContext) => Promise<Response> {
  return async ({ req }) => {
    if (!req.raw.bodyUsed) return handler(req.raw);
    const { url, method, headers } = req.raw;
    return handler(new Request(url, { method, headers, body: await req.arrayBuffer() }));
  };
}
