import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { modelsJson, modelsShape } from './model-shape.ts';
import { readModels } from './read-models.ts';

/** GET /api/models: the learned policy's models, and how their trainings stand. */
export const listModels = defineEndpoint({
  method: 'GET',
  path: '/api/models',
  docs: {
    id: 'listModels',
    tag: 'Models',
    summary: 'List the models of the learned policy',
    description:
      'Each with how well it predicted tries that it was not made from, what came since it plans, ' +
      'and an alert where it is not trusted any more.',
  },
  answers: { 200: modelsShape, ...refusals() },
  async answer(_asked, { db }: Pick<OperatorDeps, 'db'>) {
    return contentAnswer(modelsJson(await readModels(db)));
  },
});
