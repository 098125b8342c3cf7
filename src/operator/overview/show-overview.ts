import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { overviewJson, overviewShape } from './overview-shape.ts';
import { rangeOf, rangeQuery } from './range-query.ts';

/** GET /api/overview */
export const showOverview = defineEndpoint({
  method: 'GET',
  path: '/api/overview',
  docs: {
    id: 'showOverview',
    tag: 'Overview',
    summary: 'Show what was recovered and what needs a person',
    description:
      'By currency: recovered money over time, money at risk now, what became of the payments that came in, attempts of the next 24 hours, and alerts.',
  },
  schema: { query: rangeQuery },
  answers: { 200: overviewShape, ...refusals(400) },
  async answer({ query }, deps: OperatorDeps) {
    return contentAnswer(overviewJson(await deps.api.showOverview(rangeOf(query))));
  },
});
