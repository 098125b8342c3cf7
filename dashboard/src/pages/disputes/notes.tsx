import { type FormEvent, useState } from 'react';
import { useAddNote, useRemoveNote } from '../../api/dispute-desk.ts';
import type { DisputeJson, DisputeNoteJson } from '../../api/generated/disputes.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';

const longest = 2_000;

/** What was found out about a dispute, for the others who work on it; the newest last. */
export function Notes({
  disputeId,
  notes,
}: {
  readonly disputeId: DisputeJson['id'];
  readonly notes: readonly DisputeNoteJson[];
}) {
  const [removing, setRemoving] = useState<DisputeNoteJson>();
  const remove = useRemoveNote(disputeId);
  const close = (): void => {
    remove.reset();
    setRemoving(undefined);
  };
  return (
    <Panel title="Notes" aside={<span className="muted">merchants do not see them</span>}>
      {notes.length === 0 ? (
        <p className="muted">Nobody has noted anything yet.</p>
      ) : (
        <ol className="notes">
          {notes.map((note) => (
            <li key={note.id}>
              <p className="note-text">{note.text}</p>
              <p className="muted">
                {authorOf(note)}, <Time at={note.written_at} form="short" focusable />{' '}
                {note.is_removable && (
                  <button type="button" className="button" onClick={() => setRemoving(note)}>
                    Remove<span className="unseen"> the note of {authorOf(note)}</span>
                  </button>
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
      <Write disputeId={disputeId} />
      <ConfirmDialog
        open={removing !== undefined}
        title="Remove the note?"
        effect="Removes it and its text for everybody, permanently. The audit log keeps a record that it existed."
        action="Remove"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error}
        onClose={close}
        onConfirm={() => removing && remove.mutate(removing.id, { onSuccess: close })}
      />
    </Panel>
  );
}

function Write({ disputeId }: { readonly disputeId: string }) {
  const add = useAddNote(disputeId);
  const [text, setText] = useState('');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    add.mutate(text, { onSuccess: () => setText('') });
  };
  return (
    <form className="form note-form" onSubmit={submit}>
      <label>
        New note
        <textarea
          name="text"
          rows={3}
          maxLength={longest}
          required
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <FormError error={add.error} />
      <ActButton type="submit" isBusy={add.isPending} isReady={text.trim() !== ''}>
        {add.isPending ? 'Working…' : 'Add the note'}
      </ActButton>
    </form>
  );
}

function authorOf({ author_id: id, author_name: name }: DisputeNoteJson): string {
  return name ?? id ?? 'The operator token';
}
