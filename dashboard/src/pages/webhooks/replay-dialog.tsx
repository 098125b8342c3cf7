import { useState } from 'react';
import { useExhausted, useReplay } from '../../api/webhooks.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count } from '../../parts/count.ts';
import { useNow } from '../../state/service-time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { replayParams } from './replay-progress.tsx';

const weekMs = 7 * 86_400_000;

interface Props {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks since when everything that was given up is sent again, and says how many those are. */
export function ReplayDialog({ merchantId, open, onClose }: Props) {
  const now = useNow();
  const [since, setSince] = useState(() => localInput(new Date(now.getTime() - weekMs)));
  const at = new Date(since);
  const instant = Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString();
  const view = useViewState();
  const exhausted = useExhausted(merchantId, instant);
  const replay = useReplay(merchantId);
  const n = exhausted.data?.exhausted;
  return (
    <ConfirmDialog
      open={open}
      title="Redeliver what was given up?"
      effect={
        n === undefined
          ? 'Counting…'
          : `Sends ${count(n, 'event', 'events')} again, with the same bodies and ids. The merchant may have seen some of them. What is not accepted is sent again every 12 hours for 7 days.`
      }
      action="Redeliver"
      isBusy={replay.isPending || n === undefined || n === 0}
      error={replay.error ?? exhausted.error}
      onClose={onClose}
      onConfirm={() =>
        replay.mutate(instant, {
          onSuccess: (begun) => {
            onClose();
            view.change(replayParams(instant, begun));
          },
        })
      }
    >
      <label>
        Of events recorded since (your time)
        <input
          type="datetime-local"
          name="since"
          value={since}
          required
          onChange={(event) => setSince(event.target.value)}
        />
      </label>
    </ConfirmDialog>
  );
}

/** As a datetime-local field takes it, in the viewer's zone. */
function localInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
