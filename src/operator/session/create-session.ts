import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint, type Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { noContent } from '../../http/server/answer.ts';
import { isSameOrigin } from '../../http/server/same-origin.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { Door } from './authorize.ts';
import { holderOf } from './holder-of.ts';
import { refuseToken } from './refuse-token.ts';
import { cameOverTls, sessionCookie } from './session-cookie.ts';
import { noteSignIn } from './sign-in-log.ts';

const body = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'A personal token, or OPERATOR_TOKEN.',
      'x-verbatim': true,
    }),
  },
  { additionalProperties: false },
);

/** POST /api/session: a token for a cookie. For the dashboard alone. */
export function createSession(
  deps: Pick<OperatorDeps, 'db' | 'operatorToken' | 'people' | 'machine' | 'now' | 'log'>,
  door: Door,
): Endpoint<unknown> {
  return defineEndpoint({
    method: 'POST',
    path: '/api/session',
    schema: { body },
    async answer({ body: { token }, exchange }) {
      const { request } = exchange;
      if (!isSameOrigin(request)) throw new AppError('cross_site_refused');
      const holder = await holderOf(deps, token);
      if (holder === undefined) {
        throw await refuseToken(deps, door.wrongTokens, exchange);
      }
      const session = await door.sessions.open(holder);
      await noteSignIn(deps, {
        action: 'operator.signed_in',
        request,
        ...present({ actor: holder.operatorId }),
      });
      const cookie = sessionCookie(cameOverTls(request), session, deps.machine.now());
      return { ...noContent, headers: { 'set-cookie': cookie } };
    },
  });
}
