import { useState } from 'react';
import { useChangeChannel, useRemoveChannel, useTestChannel } from '../../api/alerts.ts';
import type { AlertChannelJson } from '../../api/generated/alerts.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { ChangeChannel } from './change-channel.tsx';

/** What is done with one channel: a test at once, a pause, a change, its end. */
export function ChannelActions({ channel }: { readonly channel: AlertChannelJson }) {
  const { id, name, is_paused: isPaused } = channel;
  const [isChanging, setChanging] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const test = useTestChannel();
  const pause = useChangeChannel();
  const toast = useToast();
  const word = isPaused ? 'Resume' : 'Pause';
  return (
    <div className="row-actions">
      <ActButton
        aria-label={`Test: ${name}`}
        isBusy={test.isPending}
        onClick={() =>
          test.mutate(id, {
            onSuccess: ({ sent, detail }) =>
              toast(
                sent
                  ? `${name} accepted the test.`
                  : `${name} did not accept the test: ${detail ?? ''}`,
              ),
            onError: ({ message }) => toast(message),
          })
        }
      >
        {test.isPending ? 'Sending…' : 'Test'}
      </ActButton>
      <ActButton
        aria-label={`${word}: ${name}`}
        isBusy={pause.isPending}
        onClick={() =>
          pause.mutate(
            { id, change: { is_paused: !isPaused } },
            {
              onSuccess: () => toast(isPaused ? `${name} is resumed.` : `${name} is paused.`),
              onError: ({ message }) => toast(message),
            },
          )
        }
      >
        {word}
      </ActButton>
      <button
        type="button"
        className="button"
        aria-label={`Change: ${name}`}
        onClick={() => setChanging(true)}
      >
        Change
      </button>
      <button
        type="button"
        className="button"
        aria-label={`Remove: ${name}`}
        onClick={() => setRemoving(true)}
      >
        Remove
      </button>
      <ChangeChannel open={isChanging} channel={channel} onClose={() => setChanging(false)} />
      <RemoveChannel open={isRemoving} channel={channel} onClose={() => setRemoving(false)} />
    </div>
  );
}

function RemoveChannel({
  open,
  channel,
  onClose,
}: {
  readonly open: boolean;
  readonly channel: AlertChannelJson;
  readonly onClose: () => void;
}) {
  const remove = useRemoveChannel();
  const toast = useToast();
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Remove the channel?"
      effect={`Nothing more is sent to ${channel.name}. Its routes and waiting messages are removed with it.`}
      action="Remove"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onClose={close}
      onConfirm={() =>
        remove.mutate(channel.id, {
          onSuccess: () => {
            toast('The channel is removed.');
            close();
          },
        })
      }
    />
  );
}
