import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { present } from '../../../domain/present.ts';
import { timeField } from '../../fields.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { clockFields, clockJson, sandboxClock } from './clock-shape.ts';

const clockShape = Type.Object(
  {
    ...clockFields,
    next_event_at: Type.Optional(timeField('When the next work of a payment is due.')),
  },
  {
    title: 'Clock',
    description: 'The time.',
    examples: [{ now: '2026-03-01T09:30:00.000Z', offset_ms: 86_400_000 }],
  },
);

/** GET /api/sandbox/clock */
export function showClock(server: FastifyInstance, deps: OperatorDeps): void {
  server.get(
    '/sandbox/clock',
    {
      schema: {
        tags: ['Sandbox'],
        operationId: 'showClock',
        summary: "Show the sandbox's time",
        response: { 200: clockShape, ...refusals(404) },
      },
    },
    async () => {
      const clock = sandboxClock(deps);
      const [view, nextEventAt] = await Promise.all([clock.show(), clock.nextEventAt()]);
      return present({ ...clockJson(view), next_event_at: nextEventAt?.toISOString() });
    },
  );
}
