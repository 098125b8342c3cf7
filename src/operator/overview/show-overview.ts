import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { ProcessClock } from '../../recovery/checkup/checkup-ports.ts';
import type { Alert } from '../../recovery/reports/overview.ts';
import { listProcessClocks } from '../../store/clock/process-clocks.ts';
import { readOverview } from '../../store/reports/overview/read-overview.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { overviewJson, overviewShape } from './overview-shape.ts';
import { rangeOf, rangeQuery } from './range-query.ts';

/** GET /api/overview */
export const showOverview = defineEndpoint({
  method: 'GET',
  path: '/api/overview',
  needs: { role: 'viewer', reach: 'query' },
  docs: {
    id: 'showOverview',
    tag: 'Overview',
    summary: 'Show what was recovered and what needs a person',
    description:
      'By currency: recovered money over time, money at risk now, what became of the payments that came in, attempts of the next 24 hours, and alerts.',
  },
  schema: { query: rangeQuery },
  answers: { 200: overviewShape, ...refusals(400) },
  async answer(
    { query },
    { db, machine, now, refreshSums }: Pick<OperatorDeps, 'db' | 'machine' | 'now' | 'refreshSums'>,
  ) {
    refreshSums();
    const [overview, clocks] = await Promise.all([
      readOverview(db, { ...rangeOf(query), now: now() }),
      listProcessClocks(db, machine.now()),
    ]);
    const alerts = [...clocks.flatMap(heldBackAlert), ...overview.alerts];
    return contentAnswer(overviewJson({ ...overview, alerts }));
  },
});

function heldBackAlert({ processId, held }: ProcessClock): readonly Alert[] {
  if (held === undefined) return [];
  return [{ kind: 'work_held_back', processId, message: held.message, since: held.since }];
}
