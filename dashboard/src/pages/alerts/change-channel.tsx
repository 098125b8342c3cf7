import { useState } from 'react';
import { useEditChannel } from '../../api/alerts.ts';
import type { AlertChannelJson } from '../../api/generated/alerts.ts';
import { Choice } from '../../parts/choice.tsx';
import { EditDialog } from '../../parts/edit-dialog.tsx';
import { TargetFields, targetKinds, targetOf } from './target-fields.tsx';

/** Nobody is shown the address, so that it is either kept or given anew. */
const choices = [{ value: 'as-before', label: 'as before' }, ...targetKinds] as const;
type Chosen = (typeof choices)[number]['value'];

/** Asks what a channel is called from now on, and where it sends to. */
export function ChangeChannel({
  open,
  channel,
  onClose,
}: {
  readonly open: boolean;
  readonly channel: AlertChannelJson;
  readonly onClose: () => void;
}) {
  const [chosen, setChosen] = useState<Chosen>('as-before');
  const { id, name, hint } = channel;
  const edit = useEditChannel(id);
  const close = (): void => {
    setChosen('as-before');
    onClose();
  };
  return (
    <EditDialog
      open={open}
      title="Change the channel?"
      effect={`It sends to ${hint}. Messages still waiting to be sent go to the new address.`}
      action="Change"
      kept={channel}
      edit={edit}
      bodyOf={(fields) => ({
        name: String(fields.get('name')).trim(),
        // The form began without one: a target that was chosen is sent whole.
        ...(chosen !== 'as-before' && isTargetIn(fields) && { target: targetOf(chosen, fields) }),
      })}
      done={(changed) => `${changed.name} is changed. Test it.`}
      onClose={close}
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
    </EditDialog>
  );
}

function isTargetIn(fields: FormData): boolean {
  return fields.has('to') || fields.has('url');
}
