import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { ourIdField, refusals } from '../shapes.ts';
import {
  assignedToField,
  assigneeExample,
  assigneeJson,
  assigneeShape,
  operatorNamed,
} from './assignee-shape.ts';
import { disputePath, merchantOfChanged } from './find-dispute.ts';

const body = Type.Object(
  { assigned_to: assignedToField('Who is assigned from now on') },
  { additionalProperties: false, examples: [{ assigned_to: 'none' }] },
);

export const assignedShape = Type.Object(
  { id: ourIdField("The dispute's id."), assignee: Type.Optional(assigneeShape) },
  {
    description: 'Who works on it.',
    examples: [{ id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w', assignee: assigneeExample }],
  },
);

/** POST /api/disputes/{id}/assign */
export const assignDispute = defineEndpoint({
  method: 'POST',
  path: '/api/disputes/{id}/assign',
  needs: { role: 'disputes', reach: 'own' },
  docs: {
    id: 'assignDispute',
    tag: 'Disputes',
    summary: 'Assign a dispute',
    description:
      'Any operator who may answer disputes of its merchant, or nobody. Removing an operator clears their assignments. Merchants do not see it.',
  },
  schema: { path: disputePath, body },
  answers: { 200: assignedShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: Pick<OperatorContext, 'db' | 'desk' | 'caller' | 'moveOf'>) {
    const { id: disputeId } = path;
    const merchantId = await merchantOfChanged(deps, path);
    const operatorId = operatorNamed(body.assigned_to, deps.caller);
    const outcome = await deps.desk.assign({ merchantId, disputeId, ...present({ operatorId }) });
    switch (outcome.kind) {
      case 'no_operator': {
        const detail = "No operator with this id may answer this merchant's disputes.";
        throw new AppError('not_found', detail);
      }
      case 'nobody':
        return contentAnswer({ id: disputeId });
      case 'assigned':
        return contentAnswer({ id: disputeId, assignee: assigneeJson(outcome.assignee) });
    }
  },
});
