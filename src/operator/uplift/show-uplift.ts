import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { measureUplift } from '../../recovery/admin/measure-uplift.ts';
import { readAsOf } from '../../store/reports/overview/read-progress.ts';
import { sumUplift } from '../../store/reports/uplift.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { uncountedUplift, upliftJson, upliftShape } from './uplift-shape.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    since: Type.Optional(timeField('Of payments that failed at this time or later.')),
    until: Type.Optional(timeField('Of payments that failed before this time.')),
  },
  { additionalProperties: false },
);

/** GET /api/uplift */
export const showUplift = defineEndpoint({
  method: 'GET',
  path: '/api/uplift',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'showUplift',
    tag: 'Overview',
    summary: 'Compare the learned policy with the holdout',
    description:
      'What was recovered, with what effort, by payments that a learned policy planned and by ' +
      'those that were kept on the fixed schedule, per decline class, method and week of the ' +
      'failure. Intervals are clustered by payer; the difference is of the same merchants and weeks. From sums ' +
      'that are kept beside the payments and brought up to date when they are read. docs/uplift.md says how to read it.',
  },
  schema: { query },
  answers: { 200: upliftShape, ...refusals(400, 404) },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'refreshSums' | 'caller'>) {
    const { reports: db } = context;
    const { merchant_id: merchantId, since, until } = query;
    if (merchantId !== undefined) await findMerchant(db, merchantId);
    context.refreshSums();
    const asOf = await readAsOf(db, 'uplift');
    if (asOf === undefined) return contentAnswer(uncountedUplift);
    const groups = await sumUplift(db, {
      ...(await whoseHere(db, context, query)),
      ...present({
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
      }),
    });
    return contentAnswer(upliftJson(measureUplift(groups), asOf));
  },
});
