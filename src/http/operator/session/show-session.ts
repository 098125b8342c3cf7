import type { FastifyInstance } from 'fastify';
import type { OperatorDeps } from '../operator-deps.ts';

/** GET /api/session: what the dashboard has to know of the service. 401 where nobody signed in. */
export function showSession(server: FastifyInstance, deps: OperatorDeps): void {
  server.get('/session', { schema: { hide: true } }, async () => ({
    now: deps.now().toISOString(),
    sandbox: deps.clock !== undefined,
  }));
}
