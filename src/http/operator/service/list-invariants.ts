import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { contentAnswer } from '../../server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { checkJson, checkShape, invariantsJson, invariantsShape } from './invariants-shape.ts';

/** GET /api/invariants: what must always hold. */
export const listInvariants = defineEndpoint({
  method: 'GET',
  path: '/api/invariants',
  docs: {
    id: 'listInvariants',
    tag: 'Service',
    summary: 'Show the invariants',
    description:
      'Zero breaches everywhere is health. The control totals are kept as things happen and are ' +
      'brought up to date by this call; the other promises are those of the last check of ' +
      'everything.',
  },
  answers: { 200: invariantsShape, ...refusals() },
  async answer(_asked, deps: OperatorDeps) {
    return contentAnswer(invariantsJson(await deps.api.showInvariants()));
  },
});

/** POST /api/invariants/checks: has everything checked. */
export const beginInvariantCheck = defineEndpoint({
  method: 'POST',
  path: '/api/invariants/checks',
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
