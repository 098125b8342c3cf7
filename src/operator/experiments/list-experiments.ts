import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { judgeExperiments } from '../../recovery/reports/experiments.ts';
import { listModels } from '../../store/learned/model-store.ts';
import { listLearnedMerchants, sumArms } from '../../store/reports/experiments.ts';
import { readAsOf } from '../../store/reports/overview/read-progress.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { experimentJson, experimentsShape } from './experiment-shape.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    since: Type.Optional(timeField('Figures of payments that failed at this time or later.')),
  },
  { additionalProperties: false },
);

/** GET /api/experiments */
export const listExperiments = defineEndpoint({
  method: 'GET',
  path: '/api/experiments',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listExperiments',
    tag: 'Models',
    summary: 'List how traffic is split on the learned policy',
    description:
      'Every merchant with the learned policy: its arms with their shares, since when, how ' +
      'payments are assigned, what each arm brought, and whether fixed days are used at present. ' +
      'GET /api/uplift compares the learned arm with the holdout.',
  },
  schema: { query },
  answers: { 200: experimentsShape, ...refusals(400, 404) },
  async answer(
    { query },
    context: Pick<OperatorContext, 'reports' | 'settings' | 'refreshSums' | 'caller'>,
  ) {
    const { reports: db, settings } = context;
    const { merchant_id: merchantId, since } = query;
    if (merchantId !== undefined) await findMerchant(db, merchantId);
    const asked = {
      ...(await whoseHere(db, context, query)),
      ...present({ since: since === undefined ? undefined : new Date(since) }),
    };
    context.refreshSums();
    const asOf = await readAsOf(db, 'uplift');
    const experiments = await judgeExperiments(
      {
        listModels: () => listModels(db),
        listLearnedMerchants: (of) => listLearnedMerchants(db, of),
        sumArms: (of) => sumArms(db, of),
        learnedPolicy: settings.learnedPolicy,
      },
      asked,
    );
    return contentAnswer({
      ...present({ as_of: asOf?.toISOString() }),
      experiments: experiments.map(experimentJson),
    });
  },
});
