import type { MessageReasonJson } from '../../../api/generated/messages.ts';
import { useTestMessage } from '../../../api/messages.ts';
import { Choice } from '../../../parts/choice.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { inWords } from './missing-words.ts';
import { reasonWords } from './reason-words.ts';

/** Sends one message at once; what the mail server says stays in the dialog. */
export function TestMessage({
  merchantId,
  language,
  open,
  onClose,
}: {
  readonly merchantId: string;
  readonly language: string;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const test = useTestMessage(merchantId);
  const close = (): void => {
    test.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Send a test message?"
      effect="Sent at once, about a made-up payment. Nothing is stored."
      action="Send it"
      isBusy={test.isPending}
      error={inWords(test.error)}
      onClose={close}
      onConfirm={(fields) =>
        test.mutate({
          to: String(fields.get('to')).trim(),
          reason: fields.get('reason') as MessageReasonJson,
          language: String(fields.get('language')).trim(),
        })
      }
    >
      <label>
        <span>To</span>
        <input name="to" type="email" required />
      </label>
      <Choice
        label="Reason"
        form="above"
        name="reason"
        options={Object.entries(reasonWords).map(([value, label]) => ({ value, label }))}
      />
      <label>
        <span>Language, such as en</span>
        <input name="language" required defaultValue={language} />
      </label>
      <div role="status">
        {test.data !== undefined && (
          <p>
            {test.data.sent
              ? 'The mail server accepted it.'
              : `Not accepted. ${test.data.detail ?? ''}`}
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}
