import type { FastifyInstance } from 'fastify';
import { endedSessionCookie } from './session-cookie.ts';

/** DELETE /api/session: takes the cookie away. */
export function endSession(server: FastifyInstance): void {
  server.delete('/session', { schema: { hide: true } }, async (request, reply) => {
    reply.header('set-cookie', endedSessionCookie(request));
    return reply.code(204).send();
  });
}
