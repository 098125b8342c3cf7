import type { FastifyRequest } from 'fastify';

/**
 * Whether a browser says that its own page asks: by Sec-Fetch-Site, or by an Origin that is the host
 * which was asked. A page on another port of this machine shares our cookies but not our origin.
 */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = request.headers;
  if (origin === undefined || host === undefined) return false;
  return URL.canParse(origin) && new URL(origin).host === host;
}

const reads: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a page of another site has a browser ask, in the name of whoever is signed in there: HTTP
 * Basic goes along with a form like a cookie does. Servers send neither header, and may do all. What
 * only reads passes, since the page cannot see the answer. `none` is a person who typed the address.
 */
export function isFromAnotherSite(request: FastifyRequest): boolean {
  if (reads.includes(request.method)) return false;
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site === 'none') return false;
  return (site !== undefined || origin !== undefined) && !isSameOrigin(request);
}
