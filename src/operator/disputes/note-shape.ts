import { type Static, Type } from 'typebox';
import type { DisputeNote } from '../../disputes/desk/desk-ports.ts';
import { mayActAs } from '../../domain/access/operators.ts';
import { present } from '../../domain/present.ts';
import { shapedField, timeField } from '../../http/fields.ts';
import type { OperatorCaller } from '../session/authorize.ts';

export const maxNoteLength = 2_000;

/** Lines and tabs, and no other control character. */
export const noteTextField = shapedField(
  'What was found out, for the others who work on it.',
  `^(?=[^]*\\S)[^\\x00-\\x08\\x0b-\\x1f\\x7f]{1,${maxNoteLength}}$`,
  `1 to ${maxNoteLength} characters`,
);

export const noteShape = Type.Object(
  {
    id: Type.String(),
    author_id: Type.Optional(
      Type.String({ description: 'The operator who wrote it; absent: the shared operator token.' }),
    ),
    author_name: Type.Optional(
      Type.String({ description: 'Absent if they are not an operator of this cell.' }),
    ),
    text: Type.String(),
    written_at: timeField('When.'),
    is_removable: Type.Boolean({ description: 'Whether you wrote it or are an administrator.' }),
  },
  { title: 'DisputeNote', description: 'A note.' },
);

export const noteExample = {
  id: 'dnt_2m5n8q3r6t0w4c1vbz7p0x9k',
  author_id: 'op_6m1c8n4t6r0b2k5h2j7q0x9w',
  author_name: 'K. Ito',
  text: 'The parcel was signed for; waiting for the carrier to send the signature.',
  written_at: '2026-06-02T10:00:00.000Z',
  is_removable: true,
};

type Caller = Pick<OperatorCaller, 'operatorId' | 'role' | 'portal'>;

export function noteJson(note: DisputeNote, caller: Caller): Static<typeof noteShape> {
  return present({
    id: note.noteId,
    author_id: note.authorId,
    author_name: note.authorName,
    text: note.text,
    written_at: note.at.toISOString(),
    is_removable: note.authorId === caller.operatorId || isAdministrator(caller),
  });
}

/** Notes may tell of people: they are for those who may read evidence. */
export function mayReadNotes(caller: Caller): boolean {
  return caller.portal === undefined && mayActAs(caller.role, 'disputes');
}

export function isAdministrator({ role }: Pick<Caller, 'role'>): boolean {
  return mayActAs(role, 'administrator');
}
