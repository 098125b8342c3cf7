import { useState } from 'react';
import { useConfirmMatch } from '../../api/disputes.ts';
import type { DisputeJson, MatchJson } from '../../api/generated/disputes.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { usePortal } from '../../state/portal.ts';

/**
 * The analytics records of checkouts that may be of this customer, each with its score and its
 * reasons.
 */
export function Matches({ dispute }: { readonly dispute: DisputeJson }) {
  const [chosen, setChosen] = useState<string>();
  const isOperator = usePortal() === undefined;
  const confirm = useConfirmMatch(dispute);
  const toast = useToast();
  const close = (): void => {
    confirm.reset();
    setChosen(undefined);
  };
  return (
    <Panel
      title="Analytics records of the checkout"
      aside={<span className="muted">{state(dispute)}</span>}
    >
      {dispute.matches.length === 0 ? (
        <p className="muted">
          No analytics record has anything in common with it. Checkouts send analytics records to
          POST /v1/analytics/; one that comes later is matched by itself.
        </p>
      ) : (
        <DataTable
          name="Analytics records that may match"
          rows={dispute.matches}
          rowKey={(row) => row.analytics_id}
          columns={[
            { name: 'Score', align: 'right', cell: (row) => `${row.score} of 100` },
            { name: 'In common', cell: (row) => row.reasons.join(', ').replaceAll('_', ' ') },
            {
              name: 'Of',
              cell: (row) => (row.is_inherited ? 'an earlier charge' : 'this charge'),
            },
            {
              name: 'Analytics record',
              cell: (row) => <code className="breaks">{row.analytics_id}</code>,
            },
            ...(isOperator ? [confirmColumn(setChosen)] : []),
          ]}
        />
      )}
      <ConfirmDialog
        open={chosen !== undefined}
        title="Confirm the analytics record?"
        effect="The evidence uses it from now on, whatever the rules suggest. You can choose another one later."
        action="Confirm"
        isBusy={confirm.isPending}
        error={confirm.error}
        onClose={close}
        onConfirm={() =>
          chosen !== undefined &&
          confirm.mutate(chosen, {
            onSuccess: () => {
              toast('The analytics record is confirmed.');
              close();
            },
          })
        }
      />
    </Panel>
  );
}

function state({ match_state: matchState, matched_by: by }: DisputeJson): string {
  const words = matchState.replaceAll('_', ' ');
  return by === undefined ? words : `${words}, by a ${by}`;
}

function confirmColumn(onChosen: (analyticsId: string) => void): Column<MatchJson> {
  return {
    name: 'Action',
    cell: (row) => (
      <button
        type="button"
        className="button"
        aria-label={`Confirm match: ${row.analytics_id}`}
        onClick={() => onChosen(row.analytics_id)}
      >
        Confirm match
      </button>
    ),
  };
}
