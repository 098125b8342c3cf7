import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { advanced, clockFields, clockJson, sandboxClock } from './clock-shape.ts';

const clockShape = Type.Object(
  {
    ...clockFields,
    next_event_at: Type.Optional(timeField('When the next work of a payment is due.')),
    planned: Type.Optional(
      Type.Object(
        {
          attempts: Type.Integer({ description: 'Payments that would be tried.' }),
          deliveries: Type.Integer({ description: 'Webhooks that would be sent.' }),
        },
        {
          title: 'PlannedWork',
          description:
            'What such an advance would do; what follows from it, such as webhooks of its results, ' +
            'comes on top. Present where the query asks.',
        },
      ),
    ),
  },
  {
    title: 'Clock',
    description: 'The time.',
    examples: [{ now: '2026-03-01T09:30:00.000Z', offset_ms: 86_400_000 }],
  },
);

const clockQuery = Type.Object(
  {
    advance: Type.Optional(
      Type.String({
        description: 'Asks what an advance by this ISO 8601 duration would do. Nothing moves.',
        examples: ['P1D'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** GET /api/sandbox/clock */
export const showClock = defineEndpoint({
  method: 'GET',
  path: '/api/sandbox/clock',
  needs: { role: 'viewer', reach: 'nobody' },
  docs: { id: 'showClock', tag: 'Sandbox', summary: "Show the sandbox's time" },
  schema: { query: clockQuery },
  answers: { 200: clockShape, ...refusals(400, 404) },
  async answer({ query }, deps: OperatorDeps) {
    const { advance } = query;

    const clock = sandboxClock(deps);
    const [view, nextEventAt] = await Promise.all([clock.show(), clock.nextEventAt()]);
    const planned =
      advance === undefined ? undefined : await clock.countPlanned(advanced(view.now, advance));
    return contentAnswer(
      present({ ...clockJson(view), next_event_at: nextEventAt?.toISOString(), planned }),
    );
  },
});
