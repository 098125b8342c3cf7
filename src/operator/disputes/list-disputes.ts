import { Type } from 'typebox';
import { disputeStatuses } from '../../domain/disputes/normalise/dispute-state.ts';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import {
  disputeExample,
  disputeFields,
  disputeJson,
} from '../../http/disputes/disputes/dispute-shape.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { assigneesOf } from '../../store/disputes/desk/assignments.ts';
import { listDisputes as readDisputes } from '../../store/disputes/read-disputes.ts';
import { InvalidRequest } from '../invalid-request.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { assignedToField, assigneeIn, assigneeShape, operatorNamed } from './assignee-shape.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    status: Type.Optional(enumField(disputeStatuses, 'Only those of this status.')),
    assigned_to: Type.Optional(assignedToField('Only those assigned to this person')),
    due_before: Type.Optional(timeField('Only those whose answer is due before.')),
    due_from: Type.Optional(
      timeField('With order deadline: only those whose answer is due at this time or later.'),
    ),
    order: Type.Optional(
      enumField(
        ['newest', 'deadline'],
        'deadline: those that await an answer, soonest first, with those without a known date last. Default: newest.',
      ),
    ),
    ...pageQuery,
  },
  { additionalProperties: false },
);

const merchant = 'mer_3v5kq0m2w8x1c7n4t6r9b2h1';
export const disputeShape = Type.Object(
  { merchant_id: merchantIdField, ...disputeFields, assignee: Type.Optional(assigneeShape) },
  { title: 'DisputeSummary', examples: [{ merchant_id: merchant, ...disputeExample }] },
);

/** GET /api/disputes */
export const listDisputes = defineEndpoint({
  method: 'GET',
  path: '/api/disputes',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listDisputes',
    tag: 'Disputes',
    summary: 'List disputes and fraud warnings',
    description:
      'Of every merchant, unless merchant_id is given; newest first, unless order says otherwise.',
  },
  schema: { query },
  answers: { 200: pageShape(disputeShape, 'One page of them.'), ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'now' | 'caller'>) {
    const { status, order, assigned_to: named } = query;
    const isPortal = context.caller.portal !== undefined;
    // Whose work a dispute is concerns those alone who share it.
    if (isPortal && named !== undefined) throw new AppError('portal_forbidden');
    const assignedTo = named && (operatorNamed(named, context.caller) ?? 'none');
    const [dueBefore, dueFrom] = [query.due_before, query.due_from].map((at) =>
      at === undefined ? undefined : new Date(at),
    );
    if (order === 'deadline' && status !== undefined && status !== 'needs_response') {
      const text = 'Only disputes that need an answer have a deadline';
      throw new InvalidRequest([{ at: 'status', text }]);
    }
    if (order !== 'deadline' && dueFrom !== undefined) {
      throw new InvalidRequest([{ at: 'due_from', text: 'Needs order=deadline' }]);
    }
    const page = await readDisputes(context.db, {
      ...(await whoseHere(context.db, context, query)),
      ...present({ status, dueBefore, dueFrom, assignedTo }),
      ...(order === 'deadline' && { order }),
      ...pageOf(query),
    });
    const at = context.now();
    const assignees = await assigneesOf(context.db, isPortal ? [] : page.items);
    return contentAnswer(
      pageJson(page, (item) => ({
        merchant_id: item.merchantId,
        ...disputeJson(item, at),
        ...assigneeIn(assignees, item.disputeId),
      })),
    );
  },
});
