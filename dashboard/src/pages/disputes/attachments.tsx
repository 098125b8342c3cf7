import { useState } from 'react';
import {
  useAttachmentFile,
  useAttachments,
  useRemoveAttachment,
} from '../../api/added-evidence.ts';
import type { AttachmentJson, AttachmentsJson } from '../../api/generated/dispute-evidence.ts';
import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { saveAs } from '../../parts/save-as.ts';
import { useToast } from '../../parts/toasts.tsx';
import { AddFiles } from './add-files.tsx';
import { bytesText, kindText } from './file-words.ts';

/** The files of the evidence: where each goes, and new ones until it is sent on, or cannot be sent any more. */
export function Attachments({
  dispute,
  isClosed,
}: {
  readonly dispute: DisputeSummaryJson;
  readonly isClosed: boolean;
}) {
  return (
    <QueryView query={useAttachments(dispute)} what="the files" rows={3}>
      {(shown) => (
        <section className="files" aria-label="Files">
          <h3>Files</h3>
          <FileList dispute={dispute} shown={shown} isClosed={isClosed} />
          {!shown.is_sent && !isClosed && <AddFiles dispute={dispute} limits={shown} />}
        </section>
      )}
    </QueryView>
  );
}

function FileList({
  dispute,
  shown,
  isClosed,
}: {
  readonly dispute: DisputeSummaryJson;
  readonly shown: AttachmentsJson;
  readonly isClosed: boolean;
}) {
  const [removed, setRemoved] = useState<AttachmentJson>();
  const file = useAttachmentFile(dispute);
  const remove = useRemoveAttachment(dispute);
  const toast = useToast();
  const close = (): void => {
    remove.reset();
    setRemoved(undefined);
  };
  if (shown.attachments.length === 0) {
    return <p className="muted">{noFileText(shown, isClosed)}</p>;
  }
  return (
    <>
      <ul className="file-list">
        {shown.attachments.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className="text-button breaks"
              onClick={() => file.mutate(one.id, { onSuccess: (blob) => saveAs(blob, one.name) })}
            >
              {one.name}
            </button>
            <span className="muted">
              {kindText(one.kind)}, {bytesText(one.bytes)}
            </span>
            <span className={one.goes_to === undefined ? 'not-taken' : 'muted'}>
              {one.goes_to === undefined ? one.why_not : <>goes to {one.goes_to}</>}
            </span>
            {!shown.is_sent && !isClosed && (
              <button type="button" className="button" onClick={() => setRemoved(one)}>
                Remove<span className="unseen"> {one.name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <FormError error={file.error} />
      <ConfirmDialog
        open={removed !== undefined}
        title="Remove the file?"
        effect={`${removed?.name ?? ''} is deleted here and removed from the evidence.`}
        action="Remove"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error}
        onClose={close}
        onConfirm={() =>
          remove.mutate(removed?.id ?? '', {
            onSuccess: () => {
              toast('The file is removed.');
              close();
            },
          })
        }
      />
    </>
  );
}

function noFileText({ is_sent: isSent }: AttachmentsJson, isClosed: boolean): string {
  if (isSent) return 'No file was sent.';
  return isClosed ? 'There is no file.' : 'There is no file yet.';
}
