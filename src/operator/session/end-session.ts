import { present } from '../../domain/present.ts';
import { defineEndpoint, type GuardedEndpoint } from '../../http/endpoint/define-endpoint.ts';
import type { Exchange } from '../../http/endpoint/exchange.ts';
import { noContent } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { Door, OperatorCaller } from './authorize.ts';
import { endedPortalCookie, endedSessionCookie } from './session-cookie.ts';
import { noteSignIn } from './sign-in-log.ts';

/** DELETE /api/session: ends the session, so that its cookie is nothing any more, and takes that away. */
export function endSession(
  deps: Pick<OperatorDeps, 'db' | 'now' | 'log'>,
  { sessions, portals }: Pick<Door, 'sessions' | 'portals'>,
): GuardedEndpoint<unknown> {
  return defineEndpoint({
    method: 'DELETE',
    path: '/api/session',
    needs: { role: 'viewer', reach: 'nobody' },
    async answer({ exchange }) {
      const { request, caller } = exchange as Exchange<OperatorCaller>;
      const { portal, session, operatorId } = caller ?? {};
      if (portal !== undefined && session !== undefined) {
        await portals.end(session);
        const { merchantId } = portal;
        await noteSignIn(deps, { action: 'portal.left', request, merchantId, actor: 'portal' });
        const isFramed = portal.embedOrigin !== undefined;
        return {
          ...noContent,
          headers: { 'set-cookie': endedPortalCookie(request, { isFramed }) },
        };
      }
      if (session !== undefined) {
        await sessions.end(session);
        const actor = present({ actor: operatorId });
        await noteSignIn(deps, { action: 'operator.signed_out', request, ...actor });
      }
      return { ...noContent, headers: { 'set-cookie': endedSessionCookie(request) } };
    },
  });
}
