import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';

/** GET /api/session: what the dashboard has to know of the service. 401 where nobody signed in. */
export const showSession = defineEndpoint({
  method: 'GET',
  path: '/api/session',
  async answer(_asked, deps: OperatorDeps) {
    return contentAnswer({ now: deps.now().toISOString(), sandbox: deps.clock !== undefined });
  },
});
