import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { showInvariants } from '../../recovery/accounting/show-invariants.ts';
import { createControlStore } from '../../store/control-totals/control-store.ts';
import { createCheckStore } from '../../store/invariants/check-store.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { invariantsJson, invariantsShape } from './invariants-shape.ts';

/** GET /api/invariants: what must always hold. */
export const listInvariants = defineEndpoint({
  method: 'GET',
  path: '/api/invariants',
  needs: { role: 'viewer', reach: 'all' },
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
  async answer(_asked, { db, now }: Pick<OperatorDeps, 'db' | 'now'>) {
    const books = { clock: { now }, control: createControlStore(db), checks: createCheckStore(db) };
    return contentAnswer(invariantsJson(await showInvariants(books)));
  },
});
