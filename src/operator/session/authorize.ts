import { AppError } from '../../domain/errors.ts';
import type { AnyCaller, Stage } from '../../http/endpoint/exchange.ts';
import { isSameOrigin } from '../../http/server/same-origin.ts';
import type { SignedIn } from '../../recovery/people/people-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { holderOf } from './holder-of.ts';
import { refuseToken } from './refuse-token.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
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
    const cookie = readSessionCookie(request);
    const signedIn = cookie === undefined ? undefined : await door.sessions.whose(cookie);
    if (cookie !== undefined && signedIn !== undefined) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead && !isSameOrigin(request)) throw new AppError('cross_site_refused');
      const stillIs = () => door.sessions.whose(cookie);
      exchange.caller = { ...signedIn, session: cookie, stillIs };
      return next();
    }
    reply.header('www-authenticate', 'Bearer realm="recoup operator"');
    if (given === undefined) throw new AppError('operator_unauthorized');
    throw await refuseToken(deps, door.wrongTokens, exchange);
  };
}
