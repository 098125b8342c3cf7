import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { found } from '../merchants/find-merchant.ts';
import { pspBody, pspConnection } from '../merchants/merchant-body.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { pspConnectionJson, pspConnectionShape } from './psp-shape.ts';

/** POST /api/merchants/{id}/psps */
export const connectPsp = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/psps',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'connectPsp',
    tag: 'PSP connections',
    summary: 'Connect a processor, or change its credentials',
    description:
      'The processor is asked about the credentials first: those that it refuses are not saved. Other connections stay. Where the credentials open another account than before, charges that are open at that one are still looked up there, and the answer tells them.',
  },
  schema: { path: merchantPath, body: pspBody },
  answers: { 200: pspConnectionShape, ...refusals(400, 404, 409, 422) },
  async answer({ path, body }, deps: OperatorDeps) {
    const connection = pspConnection(body);
    return contentAnswer(pspConnectionJson(found(await deps.api.connectPsp(path.id, connection))));
  },
});
