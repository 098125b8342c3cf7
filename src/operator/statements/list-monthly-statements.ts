import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listStatedMonths } from '../../store/statements/read-month.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';

const listShape = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          month: Type.String({ description: 'In UTC.' }),
          days: Type.Integer({ description: 'Days of the month that are stated.' }),
          complete: Type.Boolean({ description: "Whether the month's last day is stated." }),
        },
        {
          title: 'StatedMonth',
          examples: [{ month: '2026-03', days: 31, complete: true }],
        },
      ),
    ),
  },
  { description: 'All of them, the newest first.' },
);

/** GET /api/merchants/{id}/monthly-statements */
export const listMonthlyStatements = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/monthly-statements',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listMonthlyStatements',
    tag: 'Merchants',
    summary: 'List the months of which a merchant has a statement',
  },
  schema: { path: merchantPath },
  answers: { 200: listShape, ...refusals(404) },
  async answer({ path }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, path.id);
    return contentAnswer({ items: [...(await listStatedMonths(db, { merchantId }))] });
  },
});
