import type { FastifyInstance } from 'fastify';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { modelsJson, modelsShape } from './model-shape.ts';

/** GET /api/models: the learned policy's models, and how their trainings stand. */
export function listModels(server: FastifyInstance, deps: OperatorDeps): void {
  server.get(
    '/models',
    {
      schema: {
        tags: ['Models'],
        operationId: 'listModels',
        summary: 'List the models of the learned policy',
        description:
          'Each with how well it foretold tries that it was not made from, what came since it plans, ' +
          'and an alert where it is not trusted any more.',
        response: { 200: modelsShape, ...refusals() },
      },
    },
    async () => modelsJson(await deps.api.listModels()),
  );
}
