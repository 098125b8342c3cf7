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
