import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { ourIdField, refusals } from '../shapes.ts';
import { disputePath, merchantOfChanged } from './find-dispute.ts';
import { isAdministrator, noteExample, noteJson, noteShape, noteTextField } from './note-shape.ts';

type NotesContext = Pick<OperatorContext, 'db' | 'desk' | 'caller' | 'moveOf'>;

const needs = { role: 'disputes', reach: 'own' } as const;

const body = Type.Object(
  { text: noteTextField },
  { additionalProperties: false, examples: [{ text: noteExample.text }] },
);
const added = Type.Object(noteShape.properties, {
  title: 'DisputeNote',
  description: 'The note.',
  examples: [noteExample],
});
const notePath = Type.Object({
  ...disputePath.properties,
  note_id: ourIdField("The note's id."),
});

/** POST /api/disputes/{id}/notes */
export const addDisputeNote = defineEndpoint({
  method: 'POST',
  path: '/api/disputes/{id}/notes',
  needs,
  docs: {
    id: 'addDisputeNote',
    tag: 'Disputes',
    summary: 'Write a note on a dispute',
    description:
      'For other operators: GET /api/disputes/{id} shows it to them and never to merchants. Its text is stored encrypted, cannot be edited, and does not appear in the audit log.',
  },
  schema: { path: disputePath, body },
  answers: { 201: added, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: NotesContext) {
    const { id: disputeId } = path;
    const merchantId = await merchantOfChanged(deps, path);
    const { operatorId: authorId } = deps.caller;
    const { text } = body;
    const note = { merchantId, disputeId, text, ...present({ authorId }) };
    const outcome = await deps.desk.addNote(note);
    if (outcome.kind === 'too_many') {
      const detail = `A dispute can have at most ${outcome.max} notes: remove some.`;
      throw new AppError('conflict', detail);
    }
    const notes = await deps.desk.notes({ merchantId, disputeId });
    const written = notes.find(({ noteId }) => noteId === outcome.noteId);
    if (written === undefined)
      throw new AppError('conflict', 'The note was removed in the meantime.');
    return contentAnswer(noteJson(written, deps.caller), 201);
  },
});

/** DELETE /api/disputes/{id}/notes/{note_id} */
export const removeDisputeNote = defineEndpoint({
  method: 'DELETE',
  path: '/api/disputes/{id}/notes/{note_id}',
  needs,
  docs: {
    id: 'removeDisputeNote',
    tag: 'Disputes',
    summary: 'Remove a note',
    description:
      'Removes it with its text, permanently. Allowed for its author and for administrators.',
  },
  schema: { path: notePath },
  answers: { 204: Type.Null({ description: 'It is gone.' }), ...refusals(404, 409) },
  async answer({ path }, deps: NotesContext) {
    const merchantId = await merchantOfChanged(deps, path);
    const { operatorId } = deps.caller;
    const outcome = await deps.desk.removeNote({
      merchantId,
      disputeId: path.id,
      noteId: path.note_id,
      isAdministrator: isAdministrator(deps.caller),
      ...present({ operatorId }),
    });
    switch (outcome) {
      case 'removed':
        return noContent;
      case 'not_found':
        throw new AppError('not_found', 'The dispute has no note with this id.');
      case 'not_yours':
        throw new AppError(
          'operator_forbidden',
          'Somebody else wrote this note: ask an administrator to remove it.',
        );
    }
  },
});
