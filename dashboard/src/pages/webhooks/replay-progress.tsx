import { useQueryClient } from '@tanstack/react-query';
import { openOf, type ReplayBegunJson, useReplay, useReplayLeft } from '../../api/webhooks.ts';
import { count } from '../../parts/count.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { useViewState } from '../../state/view-state.ts';

/** A replay stands in the address: a reload, or a colleague's look, shows how far it is. */
export function replayParams(since: string, begun: ReplayBegunJson) {
  return { replay: since, replay_begun: begun.begun_at, replay_of: String(begun.queued) };
}

const noReplay = { replay: undefined, replay_begun: undefined, replay_of: undefined };

/** How far the replay is that the address names. */
export function ReplayProgress({ merchantId }: { readonly merchantId: string }) {
  const view = useViewState();
  const since = view.param('replay');
  const begunAt = view.param('replay_begun');
  const queued = Number(view.param('replay_of'));
  if (since === undefined || begunAt === undefined || !Number.isSafeInteger(queued)) return null;
  return <Progress merchantId={merchantId} replay={{ since, begunAt, queued }} />;
}

function Progress({
  merchantId,
  replay,
}: {
  readonly merchantId: string;
  readonly replay: { readonly since: string; readonly begunAt: string; readonly queued: number };
}) {
  const queries = useQueryClient();
  const view = useViewState();
  const again = useReplay(merchantId);
  const look = useReplayLeft(merchantId, replay);
  const open = look.data === undefined ? replay.queued : openOf(look.data);
  const total = Math.max(replay.queued, open);
  const close = (): void => {
    void queries.invalidateQueries({ queryKey: ['deliveries', merchantId] });
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
    view.change(noReplay, { replace: true });
  };
  return (
    <Dialog open={true} title="Redelivering" onClose={close}>
      <label>
        <span className="unseen">Events sent again</span>
        <progress max={Math.max(total, 1)} value={total - open} />
      </label>
      <p role="status">
        {total - open} of {count(total, 'event is', 'events are')} sent again.{' '}
        {open > 0 ? 'It goes on when this is closed.' : doneText(look.data?.failing ?? 0)}
      </p>
      <FormError error={look.error ?? again.error} />
      <div className="dialog-actions">
        {(look.data?.exhausted ?? 0) > 0 && (
          <button
            type="button"
            className="button"
            disabled={again.isPending}
            onClick={() => again.mutate(replay.since)}
          >
            Ask again for what is left
          </button>
        )}
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function doneText(failing: number): string {
  if (failing === 0) return 'All were accepted.';
  return `${count(failing, 'was', 'were')} not accepted; each is sent again every 12 hours for 7 days.`;
}
