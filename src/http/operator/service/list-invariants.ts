import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';

const invariantsShape = Type.Object(
  {
    holds: Type.Boolean({ description: 'Whether nothing is breached.', examples: [true] }),
    items: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['one_success_per_invoice'] }),
        promise: Type.String({ examples: ['No invoice is charged successfully twice.'] }),
        breaches: Type.Integer({ minimum: 0, examples: [0] }),
      }),
    ),
  },
  { description: 'Every promise with its breaches.' },
);

/** GET /api/invariants: the promises of the engine, counted against the database. */
export function listInvariants(server: FastifyInstance, deps: OperatorDeps): void {
  server.get(
    '/invariants',
    {
      schema: {
        tags: ['Service'],
        operationId: 'listInvariants',
        summary: 'Check what must always hold',
        description:
          'Counts the breaches of each promise in the database. Zero everywhere is health.',
        response: { 200: invariantsShape, ...refusals() },
      },
    },
    async () => {
      const items = await deps.api.checkInvariants();
      return { holds: items.every((item) => item.breaches === 0), items };
    },
  );
}
