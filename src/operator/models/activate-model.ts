import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { ourIdField, refusals } from '../shapes.ts';
import { modelsJson, modelsShape } from './model-shape.ts';
import { readModels } from './read-models.ts';

const modelPath = Type.Object({ model_id: ourIdField("The model's id.") });

/** POST /api/models/{model_id}/activate */
export const activateModel = defineEndpoint({
  method: 'POST',
  path: '/api/models/{model_id}/activate',
  needs: { role: 'operator', reach: 'all' },
  docs: {
    id: 'activateModel',
    tag: 'Models',
    summary: 'Activate a model',
    description:
      'The active one of the same scope is retired: a newer candidate is promoted by hand, or an ' +
      'older model brought back. The shipped model can be activated at any time, also before the ' +
      'first training. Alerts about the model end. It is noted in the audit log.',
  },
  schema: { path: modelPath },
  answers: { 200: modelsShape, ...refusals(404) },
  async answer({ path }, deps: OperatorDeps) {
    if (!(await deps.api.activateModel(path.model_id))) {
      throw new AppError('not_found', 'There is no model with this id.');
    }
    return contentAnswer(modelsJson(await readModels(deps.db)));
  },
});
