import type { DeskApi } from '../../disputes/desk/desk-ports.ts';
import { newId } from '../../domain/ids.ts';
import { assignDispute } from '../../store/disputes/desk/assignments.ts';
import { addNote, listNotes, removeNote } from '../../store/disputes/desk/notes.ts';
import type { AppContext } from '../context.ts';
import type { MerchantModule } from '../merchant-module.ts';

/** What operators note of disputes, joined with the store. */
export function createDesk(
  { db, clock, random }: Pick<AppContext, 'db' | 'clock' | 'random'>,
  { sealer }: Pick<MerchantModule, 'sealer'>,
): DeskApi {
  return {
    assign: (input) => assignDispute(db, { ...input, at: clock.now() }),
    addNote: (input) =>
      addNote({ db, sealer }, { ...input, noteId: newId(random, 'dnt'), at: clock.now() }),
    notes: (input) => listNotes({ db, sealer }, input),
    removeNote: (input) => removeNote(db, { ...input, at: clock.now() }),
  };
}
