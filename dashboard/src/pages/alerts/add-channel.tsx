import { useState } from 'react';
import { useAddChannel } from '../../api/alerts.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { TargetFields, type TargetKind, targetKinds, targetOf } from './target-fields.tsx';

/** Asks where alerts are to be sent. */
export function AddChannel({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const [kind, setKind] = useState<TargetKind>('email');
  const add = useAddChannel();
  const toast = useToast();
  const close = (): void => {
    add.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Add a channel?"
      effect="Its address is stored encrypted and never shown again. Nothing is sent to it until a route leads to it."
      action="Add"
      isBusy={add.isPending}
      error={add.error}
      onClose={close}
      onConfirm={(fields) =>
        add.mutate(
          { name: String(fields.get('name')).trim(), target: targetOf(kind, fields) },
          {
            onSuccess: ({ name }) => {
              toast(`${name} is added. Test it.`);
              close();
            },
          },
        )
      }
    >
      <label>
        Name
        <input name="name" required maxLength={100} autoComplete="off" />
      </label>
      <Choice
        label="How"
        form="above"
        options={targetKinds}
        value={kind}
        onChange={(value) => {
          // What was refused was of the other kind's fields.
          add.reset();
          setKind(value as TargetKind);
        }}
      />
      <TargetFields kind={kind} />
    </ConfirmDialog>
  );
}
