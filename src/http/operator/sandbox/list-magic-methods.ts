import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { sandboxOf } from './sandbox-of.ts';

const listShape = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'What stands in angle brackets is yours to fill in.' }),
          examples: Type.Array(Type.String()),
          meaning: Type.String({ description: 'What the sandbox does with a charge of it.' }),
        },
        { title: 'MagicMethod' },
      ),
    ),
  },
  {
    description: 'Every id that the sandbox knows; a suffix after `--` makes a further card of it.',
    examples: [
      {
        items: [
          {
            id: 'pm_sandbox_success',
            examples: ['pm_sandbox_success'],
            meaning: 'The charge succeeds.',
          },
        ],
      },
    ],
  },
);

/** GET /api/sandbox/payment-methods */
export function listMagicMethods(server: FastifyInstance, deps: OperatorDeps): void {
  server.get(
    '/sandbox/payment-methods',
    {
      schema: {
        tags: ['Sandbox'],
        operationId: 'listMagicMethods',
        summary: 'List the payment methods of the sandbox',
        response: { 200: listShape, ...refusals(404) },
      },
    },
    async () => ({
      items: sandboxOf(deps).magicMethods.map(({ id, examples, meaning }) => ({
        id,
        examples: [...examples],
        meaning,
      })),
    }),
  );
}
