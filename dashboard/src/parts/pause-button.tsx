import { useState } from 'react';
import { useActOnEndpoint } from '../api/endpoints.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useToast } from './toasts.tsx';

/** Pauses a webhook endpoint, or resumes it, and says what that does first. */
export function PauseButton({
  merchantId,
  endpointId,
  url,
  isPaused,
}: {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly isPaused: boolean;
}) {
  const [isAsked, setAsked] = useState(false);
  const act = useActOnEndpoint(merchantId);
  const toast = useToast();
  const close = (): void => {
    act.reset();
    setAsked(false);
  };
  const word = isPaused ? 'Resume' : 'Pause';
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`${word}: ${url}`}
        onClick={() => setAsked(true)}
      >
        {word}
      </button>
      <ConfirmDialog
        open={isAsked}
        title={`${word} the endpoint?`}
        effect={
          isPaused
            ? 'Sends the events kept meanwhile at once, with the same bodies and ids. To resend events given up before the pause, use “Redeliver in bulk”.'
            : 'Nothing is sent to it until it is resumed. Its events are kept without using up their sends.'
        }
        action={word}
        isBusy={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() =>
          act.mutate(
            { id: endpointId, act: isPaused ? 'resume' : 'pause' },
            {
              onSuccess: () => {
                toast(isPaused ? 'The endpoint is resumed.' : 'The endpoint is paused.');
                close();
              },
            },
          )
        }
      />
    </>
  );
}
