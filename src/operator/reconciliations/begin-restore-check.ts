import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { restoreCheckJson, restoreCheckShape } from './reconciliation-shape.ts';

const body = Type.Object(
  { restored_from: timeField('The time of the backup.') },
  { additionalProperties: false, examples: [{ restored_from: '2026-06-06T04:00:00Z' }] },
);

/** POST /api/restore-checks */
export const beginRestoreCheck = defineEndpoint({
  method: 'POST',
  path: '/api/restore-checks',
  needs: { role: 'administrator', reach: 'all' },
  docs: {
    id: 'beginRestoreCheck',
    tag: 'Service',
    summary: 'Record what was charged after a restored backup',
    description:
      'Nothing is charged until it is done: the lists of all PSPs since that time are read and ' +
      'recorded, and open payments are marked to be looked up before they are charged. Each time is ' +
      'checked once.',
  },
  schema: { body },
  answers: { 202: restoreCheckShape, ...refusals(400) },
  async answer({ body }, deps: OperatorDeps) {
    const check = await deps.api.beginRestoreCheck(new Date(body.restored_from));
    return contentAnswer(restoreCheckJson(check), 202);
  },
});
