import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
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
    description:
      'Every id that the sandbox knows; a suffix after `--` makes another card of the same kind.',
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
export const listMagicMethods = defineEndpoint({
  method: 'GET',
  path: '/api/sandbox/payment-methods',
  needs: { role: 'viewer', reach: 'nobody' },
  docs: {
    id: 'listMagicMethods',
    tag: 'Sandbox',
    summary: 'List the payment methods of the sandbox',
  },
  answers: { 200: listShape, ...refusals(404) },
  async answer(_asked, deps: OperatorDeps) {
    return contentAnswer({
      items: sandboxOf(deps).magicMethods.map(({ id, examples, meaning }) => ({
        id,
        examples: [...examples],
        meaning,
      })),
    });
  },
});
