import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { checkJson, checkShape } from './invariants-shape.ts';

/** POST /api/invariants/checks: has everything checked. */
export const beginInvariantCheck = defineEndpoint({
  method: 'POST',
  path: '/api/invariants/checks',
  needs: { role: 'operator', reach: 'all' },
  docs: {
    id: 'beginInvariantCheck',
    tag: 'Service',
    summary: 'Check everything that is stored',
    description:
      'A worker reads every row, page by page, counts the breaches of each promise, and holds the ' +
      'control totals against a new count; GET /api/invariants says how far it is. Asked for while ' +
      'one is under way, that one goes on.',
  },
  answers: { 202: checkShape, ...refusals() },
  async answer(_asked, deps: OperatorDeps) {
    return contentAnswer(checkJson(await deps.api.beginInvariantCheck()), 202);
  },
});
