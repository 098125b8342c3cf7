import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { readPspAccounts } from '../../store/reports/psp-accounts.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { pspAccountJson, pspAccountShape } from './psp-shape.ts';

/** GET /api/merchants/{id}/psps */
export const listPspAccounts = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/psps',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listPspAccounts',
    tag: 'PSP connections',
    summary: "List a merchant's accounts",
    description:
      'Those that are charged through and those that were, each with the charges whose outcome is open.',
  },
  schema: { path: merchantPath },
  answers: {
    200: Type.Object(
      { items: Type.Array(pspAccountShape) },
      { description: 'By processor, the oldest account first.' },
    ),
    ...refusals(404),
  },
  async answer({ path }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const accounts = await readPspAccounts(db, merchantId);
    return contentAnswer({ items: accounts.map(pspAccountJson) });
  },
});
