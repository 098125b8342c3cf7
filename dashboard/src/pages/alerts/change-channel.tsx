import { useState } from 'react';
import { useChangeChannel } from '../../api/alerts.ts';
import type { AlertChannelJson } from '../../api/generated/alerts.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { TargetFields, targetKinds, targetOf } from './target-fields.tsx';

/** Nobody is shown the address, so that it is either kept or given anew. */
const choices = [{ value: 'as-before', label: 'as before' }, ...targetKinds] as const;
type Chosen = (typeof choices)[number]['value'];

/** Asks what a channel is called from now on, and where it sends to. */
export function ChangeChannel({
  open,
  channel: { id, name, hint },
  onClose,
}: {
  readonly open: boolean;
  readonly channel: AlertChannelJson;
  readonly onClose: () => void;
}) {
  const [chosen, setChosen] = useState<Chosen>('as-before');
  const change = useChangeChannel();
  const toast = useToast();
  const close = (): void => {
    change.reset();
    setChosen('as-before');
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Change the channel?"
      effect={`It sends to ${hint}. Messages still waiting to be sent go to the new address.`}
      action="Change"
      isBusy={change.isPending}
      error={change.error}
      onClose={close}
      onConfirm={(fields) =>
        change.mutate(
          {
            id,
            change: {
              name: String(fields.get('name')).trim(),
              ...(chosen !== 'as-before' && { target: targetOf(chosen, fields) }),
            },
          },
          {
            onSuccess: (changed) => {
              toast(`${changed.name} is changed. Test it.`);
              close();
            },
          },
        )
      }
    >
      <label>
        Name
        <input name="name" required maxLength={100} autoComplete="off" defaultValue={name} />
      </label>
      <Choice
        label="How"
        form="above"
        options={choices}
        value={chosen}
        onChange={(value) => setChosen(value as Chosen)}
      />
      {chosen !== 'as-before' && <TargetFields kind={chosen} />}
    </ConfirmDialog>
  );
}
