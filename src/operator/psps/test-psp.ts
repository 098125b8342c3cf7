import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import {
  anyPspPath,
  knownPsp,
  notConnected,
  pspConnectionJson,
  pspConnectionShape,
  pspPath,
} from './psp-shape.ts';

/** POST /api/merchants/{id}/psps/{psp}/test */
export const testPsp = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/psps/{psp}/test',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'testPsp',
    tag: 'PSP connections',
    summary: 'Test a connection as it is saved',
    description: 'Moves no money. Also when the processor refuses, the connection stays.',
  },
  schema: { path: anyPspPath },
  documented: { path: pspPath },
  answers: { 200: pspConnectionShape, ...refusals(404) },
  async answer({ path }, deps: OperatorDeps) {
    const { id } = path;
    const psp = knownPsp(path.psp);
    const view = await deps.api.testPsp(id, psp);
    if (view === undefined) throw notConnected();
    return contentAnswer(pspConnectionJson(view));
  },
});
