import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { clockFields, clockJson, sandboxClock } from './clock-shape.ts';

const clockShape = Type.Object(clockFields, {
  description: 'The time.',
  examples: [{ now: '2026-03-01T09:30:00.000Z', offset_ms: 86_400_000 }],
});

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
    async () => clockJson(await sandboxClock(deps).show()),
  );
}
