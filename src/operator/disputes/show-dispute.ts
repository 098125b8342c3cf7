import { Type } from 'typebox';
import {
  detailExample,
  detailFields,
  detailJson,
} from '../../http/disputes/disputes/show-dispute.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { assigneesOf } from '../../store/disputes/desk/assignments.ts';
import { showDispute as readDispute } from '../../store/disputes/read-disputes.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { assigneeIn, assigneeShape } from './assignee-shape.ts';
import { disputePath, merchantOfDispute, noDispute } from './find-dispute.ts';
import { mayReadNotes, noteJson, noteShape } from './note-shape.ts';

export const disputeDetailShape = Type.Object(
  {
    merchant_id: merchantIdField,
    ...detailFields,
    assignee: Type.Optional(assigneeShape),
    notes: Type.Optional(
      Type.Array(noteShape, {
        description: 'Newest last; absent for callers who may not read evidence.',
      }),
    ),
  },
  {
    title: 'Dispute',
    description: 'The dispute.',
    examples: [{ merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', ...detailExample }],
  },
);

/** GET /api/disputes/{id} */
export const showDispute = defineEndpoint({
  method: 'GET',
  path: '/api/disputes/{id}',
  needs: { role: 'viewer', reach: 'own' },
  docs: {
    id: 'showDispute',
    tag: 'Disputes',
    summary: 'Show a dispute',
    description:
      'With its history, the analytics records that match it, the verdict (which opens analytics records), and the answer it was given.',
  },
  schema: { path: disputePath },
  answers: { 200: disputeDetailShape, ...refusals(404) },
  async answer(
    { path },
    deps: Pick<OperatorContext, 'db' | 'answers' | 'desk' | 'now' | 'caller'>,
  ) {
    const merchantId = await merchantOfDispute(deps, path);
    const found = await readDispute(deps.db, { merchantId, disputeId: path.id });
    if (found === undefined) throw noDispute();
    const asked = { found, now: deps.now(), actor: 'operator' };
    const detail = await detailJson(deps.answers, asked);
    const isPortal = deps.caller.portal !== undefined;
    const assignees = await assigneesOf(deps.db, isPortal ? [] : [found]);
    return contentAnswer({
      merchant_id: merchantId,
      ...detail,
      ...assigneeIn(assignees, path.id),
      ...(mayReadNotes(deps.caller) && {
        notes: (await deps.desk.notes(found)).map((note) => noteJson(note, deps.caller)),
      }),
    });
  },
});
