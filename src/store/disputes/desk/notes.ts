import type {
  AddedNote,
  AddNote,
  DisputeNote,
  RemovedNote,
  RemoveNote,
} from '../../../disputes/desk/desk-ports.ts';
import { invariant } from '../../../domain/errors.ts';
import { present } from '../../../domain/present.ts';
import { appendAudit } from '../../admin/audit-log.ts';
import { currentDataKey } from '../../admin/secrets.ts';
import type { Database, Queryable, Statement } from '../../database.ts';
import type { Sealer, SecretPlace } from '../../sealing/sealer.ts';

/** Of one dispute: they are read together. */
const maxNotes = 200;

const add: Statement = {
  name: 'add_dispute_note',
  text: `
    insert into dispute_notes (merchant_id, dispute_id, note_id, author_id, sealed, key_version,
      written_at)
    select $1, $2, $3, $4, $5, $6, $7
    where (select count(*) from dispute_notes where merchant_id = $1 and dispute_id = $2) < $8
    returning note_id`,
};

/** Who was removed keeps the name that the notes were written under. */
const list: Statement = {
  name: 'list_dispute_notes',
  text: `
    select n.note_id, n.author_id, o.name, n.sealed, n.key_version, k.wrapped_key, n.written_at
    from dispute_notes n
    join data_keys k on k.merchant_id = n.merchant_id and k.version = n.key_version
    left join operators o on o.operator_id = n.author_id
    where n.merchant_id = $1 and n.dispute_id = $2
    order by n.written_at, n.note_id`,
};

const remove: Statement = {
  name: 'remove_dispute_note',
  text: `
    with found as (
      select author_id is not distinct from $4 or $5 as may_be
      from dispute_notes where merchant_id = $1 and dispute_id = $2 and note_id = $3
    ), removed as (
      delete from dispute_notes
      where merchant_id = $1 and dispute_id = $2 and note_id = $3
        and (select may_be from found)
    )
    select may_be from found`,
};

interface NoteRow {
  readonly note_id: string;
  readonly author_id: string | null;
  readonly name: string | null;
  readonly sealed: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
  readonly written_at: Date;
}

/** Keeps a note, sealed. It and its line of the audit log, which has no word of it, are one transaction. */
export function addNote(
  { db, sealer }: { readonly db: Database; readonly sealer: Pick<Sealer, 'seal'> },
  note: AddNote & { readonly noteId: string; readonly at: Date },
): Promise<AddedNote> {
  const { merchantId, disputeId, noteId, authorId, text, at } = note;
  return db.transaction(async (tx) => {
    const dataKey = await currentDataKey(tx, merchantId);
    invariant(dataKey !== undefined, 'a merchant has a data key');
    const sealed = await sealer.seal(placeOf(merchantId, disputeId, noteId), dataKey, text);
    const { version } = dataKey;
    const values = [merchantId, disputeId, noteId, authorId, sealed, version, at, maxNotes];
    const rows = await tx.query(add, values);
    if (rows.length === 0) return { kind: 'too_many', max: maxNotes };
    const detail = { dispute_id: disputeId, note_id: noteId };
    await appendAudit(tx, merchantId, { action: 'dispute.noted', detail, at });
    return { kind: 'added', noteId };
  });
}

/** The newest last. @throws AppError encryption_key_wrong */
export async function listNotes(
  { db, sealer }: { readonly db: Queryable; readonly sealer: Pick<Sealer, 'open'> },
  { merchantId, disputeId }: { readonly merchantId: string; readonly disputeId: string },
): Promise<readonly DisputeNote[]> {
  const notes: DisputeNote[] = [];
  for (const row of await db.query<NoteRow>(list, [merchantId, disputeId])) {
    const { key_version: version, wrapped_key: wrappedKey } = row;
    const place = placeOf(merchantId, disputeId, row.note_id);
    notes.push({
      noteId: row.note_id,
      text: await sealer.open(place, { version, wrappedKey }, row.sealed),
      at: row.written_at,
      ...present({
        authorId: row.author_id ?? undefined,
        authorName: row.name ?? undefined,
      }),
    });
  }
  return notes;
}

/** Removes a note with its text, for whoever wrote it or may remove any. */
export function removeNote(
  db: Database,
  input: RemoveNote & { readonly at: Date },
): Promise<RemovedNote> {
  const { merchantId, disputeId, noteId, operatorId, isAdministrator, at } = input;
  return db.transaction(async (tx) => {
    const values = [merchantId, disputeId, noteId, operatorId ?? null, isAdministrator];
    const [found] = await tx.query<{ readonly may_be: boolean }>(remove, values);
    if (found === undefined) return 'not_found';
    if (!found.may_be) return 'not_yours';
    const detail = { dispute_id: disputeId, note_id: noteId };
    await appendAudit(tx, merchantId, { action: 'dispute.note_removed', detail, at });
    return 'removed';
  });
}

function placeOf(merchantId: string, disputeId: string, noteId: string): SecretPlace {
  return { merchantId, kind: 'dispute_note', name: `${disputeId}/${noteId}` };
}
