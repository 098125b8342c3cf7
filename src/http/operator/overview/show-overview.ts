import type { FastifyInstance } from 'fastify';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { overviewJson, overviewShape } from './overview-shape.ts';
import { type RangeQuery, rangeOf, rangeQuery } from './range-query.ts';

/** GET /api/overview */
export function showOverview(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Querystring: RangeQuery }>(
    '/overview',
    {
      schema: {
        tags: ['Overview'],
        operationId: 'showOverview',
        summary: 'Show what was recovered and what needs a person',
        description:
          'By currency: recovered money over time, money at risk now, what became of the payments that came in, attempts of the next 24 hours, and alerts.',
        querystring: rangeQuery,
        response: { 200: overviewShape, ...refusals(400) },
      },
    },
    async (request) => overviewJson(await deps.api.showOverview(rangeOf(request.query))),
  );
}
