import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { AnyCaller, Stage } from '../../http/endpoint/exchange.ts';
import { isSameOrigin } from '../../http/server/same-origin.ts';
import type { PortalVisit, SignedIn } from '../../recovery/people/people-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { holderOf } from './holder-of.ts';
import { refuseToken } from './refuse-token.ts';
import { readPortalCookie, readSessionCookie } from './session-cookie.ts';
import type { PortalSessions, Sessions } from './sessions.ts';
import type { WrongTokens } from './wrong-tokens.ts';

/** Who asks the operator's API. */
export interface OperatorCaller extends AnyCaller, SignedIn {
  /** The session's value, where a cookie opened the door. */
  readonly session?: string;
  /** Who the credential belongs to by now; undefined where it is none any more. */
  stillIs(): Promise<SignedIn | undefined>;
}

/** What signing in and being let in share. */
export interface Door {
  readonly sessions: Sessions;
  readonly portals: PortalSessions;
  readonly wrongTokens: WrongTokens;
}

/**
 * The stage that lets only the holder of a token pass, or of a session that was given for one, before
 * a body is read. The token is compared before anything is counted, so that its holder is never kept
 * out. A cookie comes along by itself, so what changes something under one must also come from our own
 * page.
 */
export function authorize(
  deps: Pick<OperatorDeps, 'db' | 'operatorToken' | 'people' | 'machine' | 'now' | 'log'>,
  door: Door,
): Stage<OperatorCaller> {
  return async (exchange, next) => {
    const { request, reply } = exchange;
    const given = /^bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const holder = given === undefined ? undefined : await holderOf(deps, given);
    if (given !== undefined && holder !== undefined) {
      exchange.caller = { ...holder, stillIs: () => holderOf(deps, given) };
      return next();
    }
    const found = await whoHolds(request, door);
    if (found !== undefined) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead && !isSameOrigin(request)) throw new AppError('cross_site_refused');
      exchange.caller = found;
      return next();
    }
    reply.header('www-authenticate', 'Bearer realm="recoup operator"');
    if (given === undefined) throw new AppError('operator_unauthorized');
    throw await refuseToken(deps, door.wrongTokens, exchange);
  };
}

/** Whose cookie a request carries: an operator's, or else that of somebody at a portal. */
async function whoHolds(
  request: FastifyRequest,
  { sessions, portals }: Pick<Door, 'sessions' | 'portals'>,
): Promise<OperatorCaller | undefined> {
  const cookie = readSessionCookie(request);
  const signedIn = cookie === undefined ? undefined : await sessions.whose(cookie);
  if (cookie !== undefined && signedIn !== undefined) {
    return { ...signedIn, session: cookie, stillIs: () => sessions.whose(cookie) };
  }
  const portal = readPortalCookie(request);
  if (portal === undefined) return undefined;
  const stillIs = async () => visitorOf(await portals.whose(portal));
  const visitor = await stillIs();
  // Their requests are counted as their merchant's, not as those of operators.
  return visitor && { ...visitor, merchantId: visitor.portal.merchantId, session: portal, stillIs };
}

/** What somebody at a portal may do at most; which endpoints, `portal-endpoints.ts` says. */
function visitorOf(
  visit: PortalVisit | undefined,
): (SignedIn & { readonly portal: PortalVisit }) | undefined {
  return visit && { role: 'viewer', merchants: [visit.merchantId], portal: visit };
}
