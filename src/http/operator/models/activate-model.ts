import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { ourIdField, refusals } from '../shapes.ts';
import { modelsJson, modelsShape } from './model-shape.ts';

const modelPath = Type.Object({ model_id: ourIdField("The model's id.") });

/** POST /api/models/{model_id}/activate */
export function activateModel(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: Type.Static<typeof modelPath> }>(
    '/models/:model_id/activate',
    {
      schema: {
        tags: ['Models'],
        operationId: 'activateModel',
        summary: 'Have a model plan from now on',
        description:
          'The active one of the same scope is retired: a newer candidate is promoted by hand, or an ' +
          'older model brought back. An alert of the model ends. It stands in the audit log.',
        params: modelPath,
        response: { 200: modelsShape, ...refusals(404) },
      },
    },
    async (request) => {
      if (!(await deps.api.activateModel(request.params.model_id))) {
        throw new AppError('not_found', 'There is no model of this id.');
      }
      return modelsJson(await deps.api.listModels());
    },
  );
}
