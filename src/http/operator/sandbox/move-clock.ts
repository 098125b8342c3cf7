import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { addMs } from '../../../domain/clock.ts';
import { parseIsoDuration } from '../../../domain/duration.ts';
import { timeField } from '../../fields.ts';
import { InvalidRequest } from '../invalid-request.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { clockFields, clockJson, sandboxClock } from './clock-shape.ts';

const moveBody = Type.Object(
  {
    advance: Type.Optional(
      Type.String({ description: 'How far, as an ISO 8601 duration such as P1D or PT12H.' }),
    ),
    to: Type.Optional(timeField('Or until when.')),
  },
  {
    description: 'One of the two.',
    additionalProperties: false,
    examples: [{ advance: 'P1D' }, { to: '2026-03-08T00:00:00Z' }],
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

/** The last instant that an RFC 3339 timestamp can name. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** POST /api/sandbox/clock */
export function moveClock(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Body: MoveBody }>(
    '/sandbox/clock',
    {
      schema: {
        tags: ['Sandbox'],
        operationId: 'moveClock',
        summary: "Move the sandbox's time forward",
        description:
          'Answers when everything that falls due on the way is done, in the order of its time.',
        body: moveBody,
        response: { 200: movedShape, ...refusals(400, 404) },
      },
    },
    async (request) => {
      const clock = sandboxClock(deps);
      const to = target(request.body, (await clock.show()).now);
      const moved = await clock.advanceTo(to);
      return { ...clockJson(moved), jumps: moved.jumps };
    },
  );
}

function target(body: MoveBody, now: Date): Date {
  if ((body.advance === undefined) === (body.to === undefined)) {
    throw fault('body', 'Exactly one of advance and to is required');
  }
  if (body.to !== undefined) {
    const to = new Date(body.to);
    if (to.getTime() >= now.getTime()) return to;
    throw fault('to', `Time only moves forward, and it is ${now.toISOString()} now`);
  }
  const reading = parseIsoDuration(body.advance ?? '');
  if ('fault' in reading) throw fault('advance', `Input ${reading.fault}`);
  const to = addMs(now, reading.durationMs);
  if (to.getTime() <= latestMs) return to;
  throw fault('advance', 'Time ends with the year 9999');
}

function fault(at: string, text: string): InvalidRequest {
  return new InvalidRequest([{ at, text }]);
}
