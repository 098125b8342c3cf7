import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';

/** GET /api/session: what the dashboard has to know of the service. 401 where nobody signed in. */
export const showSession = defineEndpoint({
  method: 'GET',
  path: '/api/session',
  needs: { role: 'viewer', reach: 'nobody' },
  async answer(_asked, { caller, ...deps }: OperatorContext) {
    const person =
      caller.operatorId === undefined ? undefined : await deps.people.find(caller.operatorId);
    const { operatorId: id, role, merchants } = caller;
    return contentAnswer({
      now: deps.now().toISOString(),
      sandbox: deps.clock !== undefined,
      operator: present({ id, name: person?.name, role, merchants }),
    });
  },
});
