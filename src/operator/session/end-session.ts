import { present } from '../../domain/present.ts';
import { defineEndpoint, type GuardedEndpoint } from '../../http/endpoint/define-endpoint.ts';
import type { Exchange } from '../../http/endpoint/exchange.ts';
import { noContent } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { Door, OperatorCaller } from './authorize.ts';
import { endedSessionCookie } from './session-cookie.ts';
import { noteSignIn } from './sign-in-log.ts';

/** DELETE /api/session: ends the session, so that its cookie is nothing any more, and takes that away. */
export function endSession(
  deps: Pick<OperatorDeps, 'db' | 'now' | 'log'>,
  { sessions }: Pick<Door, 'sessions'>,
): GuardedEndpoint<unknown> {
  return defineEndpoint({
    method: 'DELETE',
    path: '/api/session',
    needs: { role: 'viewer', reach: 'nobody' },
    async answer({ exchange }) {
      const { request, caller } = exchange as Exchange<OperatorCaller>;
      if (caller?.session !== undefined) {
        await sessions.end(caller.session);
        await noteSignIn(deps, {
          action: 'operator.signed_out',
          request,
          ...present({ actor: caller.operatorId }),
        });
      }
      return { ...noContent, headers: { 'set-cookie': endedSessionCookie(request) } };
    },
  });
}
