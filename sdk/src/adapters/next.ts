import type { FetchHandler } from '../fetch-handler.ts';

/**
 * A handler as a route of Next's app router, in `app/…/route.ts`: `export const POST =
 * nextRoute(handler)`. The app router parses no bodies, and both its runtimes will do. What it passes
 * besides the request, such as the parameters of the path, is not needed.
 */
export function nextRoute(handler: FetchHandler): (request: Request) => Promise<Response> {
  return (request) => handler(request);
}
