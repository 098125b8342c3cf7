import { Type } from 'typebox';
import { laterOf } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { ClockApi } from '../../recovery/clock-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { advanced, clockFault, clockFields, clockJson, sandboxClock } from './clock-shape.ts';

const moveBody = Type.Object(
  {
    advance: Type.Optional(
      Type.String({ description: 'How far, as an ISO 8601 duration such as P1D or PT12H.' }),
    ),
    to: Type.Optional(timeField('Or until when.')),
    next_event: Type.Optional(
      Type.Literal(true, { description: 'Or until the next work of a payment is due.' }),
    ),
  },
  {
    description: 'One of the three.',
    additionalProperties: false,
    examples: [{ advance: 'P1D' }, { to: '2026-03-08T00:00:00Z' }, { next_event: true }],
  },
);
type MoveBody = Type.Static<typeof moveBody>;

const movedShape = Type.Object(
  { ...clockFields, jumps: Type.Integer({ description: 'How often time jumped on the way.' }) },
  {
    description: 'Everything that fell due is done.',
    examples: [{ now: '2026-03-02T09:30:00.000Z', offset_ms: 86_400_000, jumps: 3 }],
  },
);

/** POST /api/sandbox/clock */
export const moveClock = defineEndpoint({
  method: 'POST',
  path: '/api/sandbox/clock',
  needs: { role: 'operator', reach: 'all' },
  docs: {
    id: 'moveClock',
    tag: 'Sandbox',
    summary: "Move the sandbox's time forward",
    description:
      'Answers when everything that falls due on the way is done, in the order of its time. Refused ' +
      'while a merchant is connected to an account that is not of a sandbox or a test mode.',
  },
  schema: { body: moveBody },
  answers: { 200: movedShape, ...refusals(400, 404, 409) },
  async answer({ body }, deps: OperatorDeps) {
    const clock = sandboxClock(deps);
    const to = await target(body, clock);
    const moved = await clock.advanceTo(to);
    return contentAnswer({ ...clockJson(moved), jumps: moved.jumps });
  },
});

async function target(body: MoveBody, clock: ClockApi): Promise<Date> {
  if (Object.keys(body).length !== 1) {
    throw clockFault('body', 'Exactly one of advance, to and next_event is required');
  }
  const { now } = await clock.show();
  if (body.next_event === true) return nextEvent(clock, now);
  if (body.to !== undefined) {
    const to = new Date(body.to);
    if (to.getTime() >= now.getTime()) return to;
    throw clockFault('to', `Time only moves forward, and it is ${now.toISOString()} now`);
  }
  return advanced(now, body.advance ?? '');
}

/** What is due already is waited for where the clock stands. */
async function nextEvent(clock: ClockApi, now: Date): Promise<Date> {
  const at = await clock.nextEventAt();
  if (at === undefined) throw new AppError('conflict', 'Nothing is planned: no payment is open.');
  return laterOf(at, now);
}
