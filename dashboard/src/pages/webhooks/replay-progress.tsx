import { useQueryClient } from '@tanstack/react-query';
import type { ReplayJson } from '../../api/generated/deliveries.ts';
import { isAllSent, useReplay } from '../../api/webhooks.ts';
import { count } from '../../parts/count.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { useViewState } from '../../state/view-state.ts';

/** The replay that the address names: a reload, or a colleague's look, shows how far it is. */
export function ReplayProgress({ merchantId }: { readonly merchantId: string }) {
  const replayId = useViewState().param('replay');
  if (replayId === undefined) return null;
  return <Progress merchantId={merchantId} replayId={replayId} />;
}

function Progress(key: { readonly merchantId: string; readonly replayId: string }) {
  const { merchantId, replayId } = key;
  const queries = useQueryClient();
  const view = useViewState();
  const { data: replay, error } = useReplay(merchantId, replayId);
  const close = (): void => {
    void queries.invalidateQueries({ queryKey: ['deliveries', merchantId] });
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
    view.change({ replay: undefined }, { replace: true });
  };
  return (
    <Dialog open={true} title="Redelivering" onClose={close}>
      {replay === undefined ? <p>Looking…</p> : <Shown replay={replay} />}
      <FormError error={error} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Shown({ replay }: { readonly replay: ReplayJson }) {
  const { matched, queued, waiting } = replay;
  const total = Math.max(matched, queued);
  const sent = queued - waiting;
  return (
    <>
      <label>
        <span className="unseen">Events sent again</span>
        <progress max={Math.max(total, 1)} value={sent} />
      </label>
      <p role="status">
        {sent} of {count(total, 'event is', 'events are')} sent again.{' '}
        {isAllSent(replay) ? resultOf(replay) : 'It continues if you close this.'}
      </p>
    </>
  );
}

function resultOf({ queued, delivered, failing, exhausted, superseded }: ReplayJson): string {
  if (delivered === queued) return 'All were accepted.';
  const parts = [
    `${delivered} accepted.`,
    failing > 0 && `${failing} not accepted; each is sent again every 12 hours for 7 days.`,
    exhausted > 0 && `${exhausted} given up.`,
    superseded > 0 && `${superseded} taken over by a later redelivery.`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}
