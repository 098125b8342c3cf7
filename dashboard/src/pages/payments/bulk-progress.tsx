import { useQueryClient } from '@tanstack/react-query';
import { useBulk } from '../../api/bulk.ts';
import type { BulkActionJson, BulkJson } from '../../api/generated/bulk-actions.ts';
import { count } from '../../parts/count.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { useViewState } from '../../state/view-state.ts';

/** The bulk action that the address names: a reload, or a colleague's look, shows how far it is. */
export function BulkProgress({ merchantId }: { readonly merchantId: string }) {
  const bulkId = useViewState().param('bulk');
  if (bulkId === undefined) return null;
  return <Progress merchantId={merchantId} bulkId={bulkId} />;
}

const titles = {
  retry: 'Retrying many payments',
  stop: 'Stopping many payments',
  set_aside: 'Setting many payments aside',
} as const satisfies Record<BulkActionJson, string>;

function Progress({
  merchantId,
  bulkId,
}: {
  readonly merchantId: string;
  readonly bulkId: string;
}) {
  const queries = useQueryClient();
  const view = useViewState();
  const { data: bulk, error } = useBulk(merchantId, bulkId);
  const close = (): void => {
    void queries.invalidateQueries({ queryKey: ['payments'] });
    view.change({ bulk: undefined }, { replace: true });
  };
  return (
    <Dialog
      open={true}
      title={bulk === undefined ? 'Many payments' : titles[bulk.action]}
      onClose={close}
    >
      {bulk === undefined ? <p>Looking…</p> : <Shown bulk={bulk} />}
      <FormError error={error} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Shown({ bulk }: { readonly bulk: BulkJson }) {
  const { matched, done, not_done: notDone, moved = 0, state } = bulk;
  const looked = notDone.reduce((sum, each) => sum + each.count, done);
  return (
    <>
      <label>
        <span className="unseen">Payments looked at</span>
        <progress max={Math.max(matched, 1)} value={state === 'done' ? matched : looked} />
      </label>
      <p role="status">
        Done: {done} of {count(matched, 'payment', 'payments')}.{' '}
        {state === 'running' && 'It continues if you close this.'}
      </p>
      {(notDone.length > 0 || moved > 0) && (
        <ul>
          {notDone.map((each) => (
            <li key={each.because}>
              {each.count} not done: {each.because}
            </li>
          ))}
          {moved > 0 && <li>{moved} no longer matched these filters when their turn came</li>}
        </ul>
      )}
    </>
  );
}
