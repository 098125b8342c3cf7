import { useSilence } from '../../api/alerts.ts';
import type { FiringAlertJson } from '../../api/generated/alerts.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { kindNames } from './kind-names.ts';

const durations = [
  ['60', '1 hour'],
  ['240', '4 hours'],
  ['1440', '1 day'],
  ['10080', '7 days'],
  ['43200', '30 days'],
] as const;

/** Asks for how long nobody is told of alerts like this one, and why. */
export function SilenceDialog({
  alert,
  onClose,
}: {
  readonly alert: FiringAlertJson | undefined;
  readonly onClose: () => void;
}) {
  const silence = useSilence();
  const toast = useToast();
  const close = (): void => {
    silence.reset();
    onClose();
  };
  const whose = alert?.merchant_name === undefined ? '' : ` of ${alert.merchant_name}`;
  return (
    <ConfirmDialog
      open={alert !== undefined}
      title="Silence it?"
      effect={`Nobody is alerted to “${alert === undefined ? '' : kindNames[alert.kind]}”${whose} until the silence ends. If it still applies then, it is sent.`}
      action="Silence"
      isBusy={silence.isPending}
      error={silence.error}
      onClose={close}
      onConfirm={(fields) =>
        alert !== undefined &&
        silence.mutate(
          {
            kind: alert.kind,
            ...(alert.merchant_id === undefined ? {} : { merchant_id: alert.merchant_id }),
            reason: String(fields.get('reason')).trim(),
            minutes: Number(fields.get('minutes')),
          },
          {
            onSuccess: () => {
              toast('It is silenced.');
              close();
            },
          },
        )
      }
    >
      <Choice
        label="For"
        form="above"
        name="minutes"
        defaultValue="240"
        options={durations.map(([value, label]) => ({ value, label }))}
      />
      <label>
        Why, for whoever finds it
        <input name="reason" required maxLength={500} autoComplete="off" />
      </label>
    </ConfirmDialog>
  );
}
