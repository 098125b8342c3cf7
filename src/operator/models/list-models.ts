import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { sees } from '../session/permit.ts';
import { refusals } from '../shapes.ts';
import { modelsJson, modelsShape } from './model-shape.ts';
import { readModels } from './read-models.ts';

/** GET /api/models: the learned policy's models, and how their trainings stand. */
export const listModels = defineEndpoint({
  method: 'GET',
  path: '/api/models',
  needs: { role: 'viewer', reach: 'own' },
  docs: {
    id: 'listModels',
    tag: 'Models',
    summary: 'List the models of the learned policy',
    description:
      'Each with how well it predicted tries it was not trained on, how it has done since it plans, ' +
      'and an alert if it is no longer trusted.',
  },
  answers: { 200: modelsShape, ...refusals() },
  async answer(_asked, { db, caller }: Pick<OperatorContext, 'db' | 'caller'>) {
    const { models, trainings } = await readModels(db);
    const isSeen = ({ merchantId }: { readonly merchantId: string }) =>
      merchantId === allMerchants || sees(caller, merchantId);
    const seen = { models: models.filter(isSeen), trainings: trainings.filter(isSeen) };
    return contentAnswer(modelsJson(seen));
  },
});
