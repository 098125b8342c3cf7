import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useExhausted, useReplay } from '../../api/webhooks.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count } from '../../parts/count.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useNow } from '../../state/service-time.tsx';

const weekMs = 7 * 86_400_000;

interface Props {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Sends again everything that was given up since a time: how many first, then how far it is. */
export function ReplayDialog(props: Props) {
  const [begun, setBegun] = useState<{ readonly since: string; readonly queued: number }>();
  if (begun !== undefined) {
    return (
      <Progress
        {...props}
        since={begun.since}
        queued={begun.queued}
        onClose={() => {
          setBegun(undefined);
          props.onClose();
        }}
      />
    );
  }
  return <Ask {...props} onBegun={setBegun} />;
}

function Ask({
  merchantId,
  open,
  onClose,
  onBegun,
}: Props & {
  readonly onBegun: (begun: { readonly since: string; readonly queued: number }) => void;
}) {
  const now = useNow();
  const [since, setSince] = useState(() => localInput(new Date(now.getTime() - weekMs)));
  const at = new Date(since);
  const instant = Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString();
  const exhausted = useExhausted(merchantId, instant, 'once');
  const replay = useReplay(merchantId);
  const n = exhausted.data?.exhausted;
  return (
    <ConfirmDialog
      open={open}
      title="Redeliver what was given up?"
      effect={
        n === undefined
          ? 'Counting…'
          : `Sends ${count(n, 'event', 'events')} again, with the same bodies and ids. The merchant may have seen some of them. What is not taken is sent again every 12 hours for 7 days.`
      }
      action="Redeliver"
      isBusy={replay.isPending || n === undefined || n === 0}
      error={replay.error ?? exhausted.error}
      onClose={onClose}
      onConfirm={() =>
        replay.mutate(instant, { onSuccess: ({ queued }) => onBegun({ since: instant, queued }) })
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

function Progress({
  merchantId,
  open,
  onClose,
  since,
  queued,
}: Props & { readonly since: string; readonly queued: number }) {
  const queries = useQueryClient();
  const left = useExhausted(merchantId, since, 'often').data?.exhausted ?? queued;
  const done = Math.max(0, queued - left);
  const close = (): void => {
    void queries.invalidateQueries({ queryKey: ['deliveries', merchantId] });
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
    onClose();
  };
  return (
    <Dialog open={open} title="Redelivering" onClose={close}>
      <label>
        <span className="unseen">Events queued again</span>
        <progress max={queued} value={done} />
      </label>
      <p role="status">
        {done} of {count(queued, 'event is', 'events are')} queued again.{' '}
        {left === 0 ? 'All are on their way.' : 'It goes on when this is closed.'}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

/** As a datetime-local field takes it, in the viewer's zone. */
function localInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
