import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { PortalApi } from '../../recovery/people/portal-api.ts';
import type { Dashboard, StaticFile } from './dashboard.ts';
import { plainPage, plainPageStyle } from './plain-page.ts';

/** First parts of paths that are never a page. */
const notPages = new Set(['api', 'assets', 'docs', 'healthz', 'metrics', 'openapi', 'readyz']);

/**
 * The dashboard at `/`: its files, and its one page for every address that a browser opens, since the
 * page itself reads the address. What else asks for an unknown address is told that there is nothing.
 */
export function serveDashboard(
  server: FastifyInstance,
  dashboard: Dashboard,
  portals: Pick<PortalApi, 'embedOriginOf'>,
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.split('?', 1)[0]?.slice(1) ?? '';
    const state = dashboard.state();
    const file = state.kind === 'ready' ? state.files.get(path) : undefined;
    if (file !== undefined) return sendFile(request, reply, file);
    if (path !== '' && !isPage(request, path)) throw new AppError('not_found');
    if (state.kind !== 'ready') {
      pageHeaders(reply, `style-src ${plainPageStyle}`);
      const status = state.kind === 'building' ? 503 : 500;
      return reply.code(status).type('text/html; charset=utf-8').send(plainPage(state));
    }
    const page = state.files.get('index.html');
    if (page === undefined) throw new AppError('not_found');
    const framedBy = await framingSite(portals, path);
    return sendFile(request, reply, page, framedBy);
  };
  const schema = { hide: true };
  for (const url of ['/', '/*']) {
    server.route({ method: ['GET', 'HEAD'], url, schema, handler: answer });
  }
}

function isPage(request: FastifyRequest, path: string): boolean {
  if (notPages.has(path.split('/', 1)[0] ?? '')) return false;
  return (request.headers.accept ?? '').includes('text/html');
}

const yearSeconds = 31_536_000;

/** The one site that may frame the page: that of the link to a portal which the address names. */
async function framingSite(
  portals: Pick<PortalApi, 'embedOriginOf'>,
  path: string,
): Promise<string | undefined> {
  const linkId = /^portal\/(plk_[0-9a-z]{24})(?:\/|$)/.exec(path)?.[1];
  return linkId === undefined ? undefined : await portals.embedOriginOf(linkId);
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  framedBy?: string,
): FastifyReply {
  pageHeaders(reply, "script-src 'self'; style-src 'self'; img-src 'self' data:", framedBy);
  const cache = file.isImmutable ? `public, max-age=${yearSeconds}, immutable` : 'no-cache';
  reply.header('cache-control', cache).header('vary', 'accept-encoding').type(file.type);
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (file.gzip === undefined || !takesGzip) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.gzip);
}

/** Only what we serve ourselves is run, shown or asked, and nobody else frames it than the site that is named. */
function pageHeaders(reply: FastifyReply, sources: string, framedBy = "'none'"): void {
  reply.headers({
    'content-security-policy': `default-src 'none'; connect-src 'self'; ${sources}; form-action 'self'; base-uri 'none'; frame-ancestors ${framedBy}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
}
