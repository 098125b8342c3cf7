import { useState } from 'react';
import { useAddChannel } from '../../api/alerts.ts';
import type { AlertTargetJson } from '../../api/generated/alerts.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';

type Kind = AlertTargetJson['kind'];

const kinds = [
  { value: 'email', label: 'by e-mail' },
  { value: 'slack', label: 'to Slack, or what takes its form' },
  { value: 'webhook', label: 'as a signed webhook' },
] as const;

/** Asks where alerts are to be sent. */
export function AddChannel({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const [kind, setKind] = useState<Kind>('email');
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
      effect="Its address is kept sealed and shown to nobody afterwards. It is sent nothing before a route leads to it."
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
        options={kinds}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
      />
      {kind === 'email' ? (
        <label>
          Addresses, separated by commas
          <input name="to" required maxLength={2_000} autoComplete="off" />
        </label>
      ) : (
        <label>
          Address
          <input name="url" type="url" required maxLength={2_048} autoComplete="off" />
        </label>
      )}
      {kind === 'webhook' && (
        <label>
          Signing secret, 24 characters or more
          <input
            name="secret"
            type="password"
            required
            minLength={24}
            maxLength={200}
            autoComplete="off"
          />
        </label>
      )}
    </ConfirmDialog>
  );
}

function targetOf(kind: Kind, fields: FormData): AlertTargetJson {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  switch (kind) {
    case 'email':
      return {
        kind,
        to: text('to')
          .split(/[\s,;]+/)
          .filter((address) => address !== ''),
      };
    case 'slack':
      return { kind, url: text('url') };
    case 'webhook':
      return { kind, url: text('url'), secret: text('secret') };
  }
}
