import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listAssignees } from '../../store/disputes/desk/assignments.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { assigneeExample, assigneeJson, assigneeShape } from './assignee-shape.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField) },
  { additionalProperties: false },
);

const shape = Type.Object(
  {
    assignees: Type.Array(assigneeShape),
    me: Type.Optional(Type.String({ description: 'Your own id, if you are one of them.' })),
  },
  {
    description: 'By name, at most 500.',
    examples: [{ assignees: [assigneeExample], me: assigneeExample.id }],
  },
);

/** GET /api/dispute-assignees */
export const showAssignees = defineEndpoint({
  method: 'GET',
  path: '/api/dispute-assignees',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'showAssignees',
    tag: 'Disputes',
    summary: 'List who disputes can be assigned to',
    description:
      'Operators who may answer disputes of the merchant, or of any merchant that you see.',
  },
  schema: { query },
  answers: { 200: shape, ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'caller'>) {
    const assignees = await listAssignees(context.db, whose(context, query));
    const { operatorId } = context.caller;
    const isOne = assignees.some((one) => one.operatorId === operatorId);
    return contentAnswer({
      assignees: assignees.map(assigneeJson),
      ...(isOne && operatorId !== undefined && { me: operatorId }),
    });
  },
});
