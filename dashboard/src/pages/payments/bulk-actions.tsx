import { useState } from 'react';
import { useBeginBulk, useCountForBulk } from '../../api/bulk.ts';
import type { BulkActionJson, CountPaymentsQuery } from '../../api/generated/bulk-actions.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count } from '../../parts/count.ts';
import { MerchantChoice } from '../../parts/merchant-choice.tsx';
import { useViewState } from '../../state/view-state.ts';
import { BulkProgress } from './bulk-progress.tsx';

/** The filters of the list as a bulk action takes them. */
export interface BulkFilters {
  readonly merchant_id?: string | undefined;
  readonly status?: string | undefined;
  readonly waiting_for?: string | undefined;
  readonly held_by?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/**
 * Something to be done to all open payments of the list's filters, of one merchant at a time: which one is asked
 * where the list is of all. Nothing where the filters mean ended payments alone.
 */
export function BulkActions({ filters }: { readonly filters: BulkFilters }) {
  const [open, setOpen] = useState(false);
  const { merchant_id: merchantId, status } = filters;
  const isOpenState = status === undefined || status === 'scheduled' || status === 'attempting';
  if (!isOpenState) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Change many…
      </button>
      {open && (
        <BulkDialog
          merchantId={merchantId}
          scope={scopeOf(filters)}
          onClose={() => setOpen(false)}
        />
      )}
      {merchantId !== undefined && <BulkProgress merchantId={merchantId} />}
    </>
  );
}

/** Of the list's query what is a filter: its page is none. */
function scopeOf(filters: BulkFilters): CountPaymentsQuery {
  const { status, waiting_for, held_by, created_from, created_to } = filters;
  const scope = Object.entries({ status, waiting_for, held_by, created_from, created_to });
  return Object.fromEntries(scope.filter(([, value]) => value !== undefined));
}

const actions = {
  retry: 'Retry now',
  stop: 'Stop the recovery',
  set_aside: 'Set aside',
} as const satisfies Record<BulkActionJson, string>;

const effects = {
  retry:
    'The merchant is asked about each one and, after a yes, it is charged once. The networks’ rules apply as for every attempt.',
  stop: 'Nothing is charged for them afterwards. This cannot be undone.',
  set_aside: 'They are not tried until somebody retries them.',
} as const satisfies Record<BulkActionJson, string>;

function BulkDialog({
  merchantId: listed,
  scope: asked,
  onClose,
}: {
  /** Whose payments the list has; absent: all merchants'. */
  readonly merchantId: string | undefined;
  readonly scope: CountPaymentsQuery;
  readonly onClose: () => void;
}) {
  const view = useViewState();
  // As it was when the dialog opened: the end of the list's time moves on with the clock.
  const [scope] = useState(asked);
  const [action, setAction] = useState<BulkActionJson>('retry');
  const [merchantId, setMerchantId] = useState(listed ?? '');
  const isChosen = merchantId !== '';
  const counted = useCountForBulk(merchantId, scope, isChosen);
  const begin = useBeginBulk(merchantId);
  const n = counted.data?.count;
  return (
    <ConfirmDialog
      open
      title="Change many payments?"
      effect={isChosen ? effectOf(n, action) : 'This works for one merchant at a time: choose one.'}
      action={actions[action]}
      isDangerous={action === 'stop'}
      isBusy={begin.isPending}
      isReady={n !== undefined && n > 0}
      error={begin.error ?? counted.error}
      onClose={onClose}
      onConfirm={(fields) =>
        begin.mutate(
          { ...scope, action, reason: String(fields.get('reason') ?? '').trim() },
          {
            onSuccess: ({ id }) => {
              onClose();
              view.change({ merchant: merchantId, bulk: id, cursor: undefined });
            },
          },
        )
      }
    >
      {listed === undefined && (
        <MerchantChoice
          value={merchantId}
          none="Choose a merchant"
          onChange={(next = '') => setMerchantId(next)}
        />
      )}
      <Choice
        label="What is done to each"
        form="above"
        value={action}
        options={Object.entries(actions).map(([value, label]) => ({ value, label }))}
        onChange={(value) => setAction(value as BulkActionJson)}
      />
      <label>
        Reason (kept with each payment)
        <input name="reason" required maxLength={500} defaultValue="" />
      </label>
    </ConfirmDialog>
  );
}

function effectOf(n: number | undefined, action: BulkActionJson): string {
  if (n === undefined) return 'Counting…';
  if (n === 0) return 'No open payment matches these filters.';
  return `${count(n, 'open payment', 'open payments')} of the list’s filters. ${effects[action]}`;
}
