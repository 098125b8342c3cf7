import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import {
  anyPspPath,
  disconnectedJson,
  disconnectedShape,
  knownPsp,
  notConnected,
  pspPath,
} from './psp-shape.ts';

/** DELETE /api/merchants/{id}/psps/{psp} */
export const disconnectPsp = defineEndpoint({
  method: 'DELETE',
  path: '/api/merchants/{id}/psps/{psp}',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'disconnectPsp',
    tag: 'PSP connections',
    summary: 'Disconnect a processor',
    description:
      'Payments that were to be charged there wait until it is connected again or their window ends. Charges whose outcome is open are still looked up there: the answer tells them, and the credentials stay sealed for that alone until they are resolved.',
  },
  schema: { path: anyPspPath },
  documented: { path: pspPath },
  answers: {
    200: disconnectedShape,
    ...refusals(404, 409),
  },
  async answer({ path }, deps: OperatorDeps) {
    const { id } = path;
    const psp = knownPsp(path.psp);
    const removed = await deps.api.disconnectPsp(id, psp);
    if (removed === undefined) throw notConnected();
    return contentAnswer(disconnectedJson(removed));
  },
});
