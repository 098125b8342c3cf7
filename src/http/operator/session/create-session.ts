import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
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
  server: FastifyInstance,
  deps: Pick<OperatorDeps, 'operatorToken' | 'machine'>,
  sessions: Sessions,
): void {
  const limit = new LoginLimit();
  server.post<{ Body: Type.Static<typeof body> }>(
    '/session',
    { schema: { hide: true, body } },
    async (request, reply) => {
      if (!isSameOrigin(request)) throw new AppError('cross_site_refused');
      const now = deps.machine.now();
      const waitSeconds = limit.waitSeconds(request.ip, now);
      if (waitSeconds !== undefined) {
        reply.header('retry-after', waitSeconds);
        throw new AppError('too_many_requests', 'Too many wrong tokens came in the last minute.');
      }
      if (!sameToken(request.body.token, deps.operatorToken)) {
        limit.failed(request.ip, now);
        throw new AppError('operator_unauthorized', 'This is not the operator token.');
      }
      reply.header('set-cookie', sessionCookie(request, sessions.issue(), now));
      return reply.code(204).send();
    },
  );
}
