import type { MessageSettingsJson } from '../../../api/generated/messages.ts';
import { useEditMessages } from '../../../api/messages.ts';
import { EditDialog } from '../../../parts/edit-dialog.tsx';
import { inWords } from './missing-words.ts';

const numbers = [
  ['quiet_from', 'Quiet from this hour, 0 to 23', 0, 23],
  ['quiet_until', 'Quiet until this hour, 0 to 23', 0, 23],
  ['max_messages', 'Messages about one payment, 1 to 10', 1, 10],
  ['first_after_hours', 'Hours to the first message, 0 to 720', 0, 720],
  ['gap_hours', 'Hours between two messages, 1 to 720', 1, 720],
] as const;

/** Changes how a merchant's customers are written to, and whether they are. */
export function ChangeMessages({
  merchantId,
  settings,
  open,
  onClose,
}: {
  readonly merchantId: string;
  readonly settings: MessageSettingsJson;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const edit = useEditMessages(merchantId);
  return (
    <EditDialog
      open={open}
      title="Change the messages?"
      effect="Takes effect with the next message. A message is never sent alongside a retry, whatever is chosen here."
      action="Change them"
      kept={settings}
      edit={edit}
      bodyOf={settingsOf}
      done="The messages are changed."
      inWords={inWords}
      onClose={onClose}
    >
      <label className="field">
        <input name="on" type="checkbox" defaultChecked={settings.on} />
        <span>Write to customers whose payments need them to act</span>
      </label>
      <fieldset className="fields">
        <legend>Messages</legend>
        <label>
          From, such as Acme &lt;billing@acme.example&gt;
          <input name="sender" defaultValue={settings.sender ?? ''} maxLength={200} />
        </label>
        <label>
          Replies go to (empty: the same address)
          <input name="reply_to" defaultValue={settings.reply_to ?? ''} maxLength={200} />
        </label>
        <label>
          Time zone of customers whose own is not known
          <input name="time_zone" required defaultValue={settings.time_zone} />
        </label>
        <label>
          Their language, such as en
          <input name="language" required defaultValue={settings.language} />
        </label>
        {numbers.map(([name, label, min, max]) => (
          <label key={name}>
            {label}
            <input
              name={name}
              type="number"
              required
              min={min}
              max={max}
              defaultValue={settings[name]}
            />
          </label>
        ))}
        <label>
          Held out to compare with, in percent, 0 to 50
          <input
            name="holdout_share"
            type="number"
            required
            min={0}
            max={50}
            step={0.1}
            defaultValue={Math.round(settings.holdout_share * 1_000) / 10}
          />
        </label>
      </fieldset>
    </EditDialog>
  );
}

function settingsOf(fields: FormData): object {
  const text = (name: string) => String(fields.get(name) ?? '').trim();
  return {
    on: fields.get('on') === 'on',
    sender: text('sender'),
    reply_to: text('reply_to'),
    time_zone: text('time_zone'),
    language: text('language'),
    holdout_share: Number(text('holdout_share')) / 100,
    ...Object.fromEntries(numbers.map(([name]) => [name, Number(text(name))])),
  };
}
