import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { noContent } from '../../http/server/answer.ts';
import { endedSessionCookie } from './session-cookie.ts';

/** DELETE /api/session: takes the cookie away. */
export const endSession = defineEndpoint({
  method: 'DELETE',
  path: '/api/session',
  async answer({ exchange }) {
    return { ...noContent, headers: { 'set-cookie': endedSessionCookie(exchange.request) } };
  },
});
