import { useState } from 'react';
import { useAttach } from '../../api/added-evidence.ts';
import type { AttachmentKindJson, AttachmentsJson } from '../../api/generated/dispute-evidence.ts';
import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import { Choice } from '../../parts/choice.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { numberText } from '../../parts/number-text.ts';
import { useToast } from '../../parts/toasts.tsx';
import { bytesText, kinds, kindText } from './file-words.ts';

const whole = numberText();
const options = kinds.map((kind) => ({ value: kind, label: kindText(kind) }));

/** Takes files from a button, or dropped on it. What is too large is not sent. */
export function AddFiles({
  dispute,
  limits,
}: {
  readonly dispute: DisputeSummaryJson;
  readonly limits: AttachmentsJson;
}) {
  const [kind, setKind] = useState<string>(kinds[0]);
  const [isOver, setOver] = useState(false);
  const [tooLarge, setTooLarge] = useState<Error | null>(null);
  const attach = useAttach(dispute);
  const toast = useToast();
  const take = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    const large = files.find(({ size }) => size > limits.max_bytes);
    attach.reset();
    setTooLarge(large === undefined ? null : tooLargeError(large, limits));
    if (files.length === 0 || large !== undefined) return;
    attach.mutate(
      { kind: kind as AttachmentKindJson, files },
      {
        onSuccess: () => toast(files.length === 1 ? 'The file is added.' : 'The files are added.'),
      },
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shorter way to what the button does
    <div
      className={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Choice label="What it shows" options={options} value={kind} onChange={setKind} />
      <label className="button file-pick">
        {attach.isPending ? 'Adding…' : 'Choose files'}
        <input
          type="file"
          className="unseen"
          multiple
          accept="application/pdf,image/png,image/jpeg"
          disabled={attach.isPending}
          onChange={({ target }) => {
            take(target.files);
            // The same file again is a choice too.
            target.value = '';
          }}
        />
      </label>
      <p className="muted small">
        Or drop them here: PDF, PNG or JPEG, {bytesText(limits.max_bytes)} each, {limits.max_files}{' '}
        files, {bytesText(limits.max_total_bytes)} in all.
      </p>
      <FormError error={tooLarge ?? attach.error} />
    </div>
  );
}

function tooLargeError({ name, size }: File, { max_bytes: most }: AttachmentsJson): Error {
  return new Error(`${name} has ${whole(size)} bytes; a file may have ${whole(most)}.`);
}
