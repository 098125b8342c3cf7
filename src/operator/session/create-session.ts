import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint, type Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { noContent } from '../../http/server/answer.ts';
import { sameToken } from '../authorize.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { LoginLimit } from './login-limit.ts';
import { isSameOrigin } from './same-origin.ts';
import { sessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

const body = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 1024, description: 'OPERATOR_TOKEN.' }) },
  { additionalProperties: false },
);

/** POST /api/session: the operator token for a cookie. For the dashboard alone. */
export function createSession(
  deps: Pick<OperatorDeps, 'operatorToken' | 'machine'>,
  sessions: Sessions,
): Endpoint<unknown> {
  const limit = new LoginLimit();
  return defineEndpoint({
    method: 'POST',
    path: '/api/session',
    schema: { body },
    async answer({ body: { token }, exchange: { request, reply } }) {
      if (!isSameOrigin(request)) throw new AppError('cross_site_refused');
      const now = deps.machine.now();
      const waitSeconds = limit.waitSeconds(request.ip, now);
      if (waitSeconds !== undefined) {
        reply.header('retry-after', waitSeconds);
        throw new AppError('too_many_requests', 'Too many wrong tokens came in the last minute.');
      }
      if (!sameToken(token, deps.operatorToken)) {
        limit.failed(request.ip, now);
        throw new AppError('operator_unauthorized', 'This is not the operator token.');
      }
      const cookie = sessionCookie(request, sessions.issue(), now);
      return { ...noContent, headers: { 'set-cookie': cookie } };
    },
  });
}
