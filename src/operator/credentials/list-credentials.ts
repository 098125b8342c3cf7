import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { readCredentials } from '../../store/admin/read-credentials.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { credentialJson, credentialShape } from './credential-shape.ts';

const listShape = Type.Object(
  { items: Type.Array(credentialShape) },
  { description: 'All of them; their texts are never shown.' },
);

/** GET /api/merchants/{id}/credentials */
export const listCredentials = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/credentials',
  needs: { role: 'operator', reach: 'path' },
  docs: { id: 'listCredentials', tag: 'Credentials', summary: "List a merchant's credentials" },
  schema: { path: merchantPath },
  answers: { 200: listShape, ...refusals(404) },
  async answer({ path }, deps: Pick<OperatorDeps, 'db' | 'sealer'>) {
    const { merchantId } = await findMerchant(deps.db, path.id);
    const credentials = await readCredentials(deps, merchantId);
    return contentAnswer({ items: credentials.map(credentialJson) });
  },
});
