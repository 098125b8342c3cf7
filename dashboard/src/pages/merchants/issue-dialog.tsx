import { useIssueCredential } from '../../api/merchant-settings.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { kindLabels } from './credential-kinds.ts';

/** How long the present credentials go on beside a new one. */
const overlaps: readonly (readonly [overlap: string, words: string])[] = [
  ['P1D', 'end after 1 day'],
  ['PT1H', 'end after 1 hour'],
  ['P7D', 'end after 7 days'],
  ['PT0S', 'end at once'],
  ['', 'stay valid'],
];

/** Asks which credential, and what becomes of the present ones. */
export function IssueDialog({
  merchantId,
  open,
  onClose,
  onIssued,
}: {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onIssued: (name: string, text: string) => void;
}) {
  const issue = useIssueCredential(merchantId);
  const toast = useToast();
  const close = (): void => {
    issue.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Issue a credential?"
      effect="A new one is issued and shown once. Webhooks are signed with the oldest valid secret, so that receivers can adopt the new one first."
      action="Issue"
      isBusy={issue.isPending}
      error={issue.error}
      onClose={close}
      onConfirm={(fields) => {
        const kind = String(fields.get('kind'));
        const overlap = String(fields.get('overlap'));
        issue.mutate(overlap === '' ? { kind } : { kind, overlap }, {
          onSuccess: ({ text }) => {
            onIssued(kindLabels[kind] ?? kind, text);
            toast('The credential is issued. Keep it now.');
            close();
          },
        });
      }}
    >
      <label>
        For
        <select name="kind">
          {Object.entries(kindLabels).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        The present ones of this kind
        <select name="overlap">
          {overlaps.map(([overlap, words]) => (
            <option key={overlap} value={overlap}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </ConfirmDialog>
  );
}
