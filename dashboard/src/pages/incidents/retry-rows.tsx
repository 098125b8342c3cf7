import { useState } from 'react';
import type { SetAsideJson } from '../../api/generated/set-aside.ts';
import { type Retried, useRetrySetAside } from '../../api/set-aside.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count, formatCount } from '../../parts/count.ts';
import { useToast } from '../../parts/toasts.tsx';

/** Asks before rows are done again, and tells how far it is. `rows` undefined: nothing is asked. */
export function RetryRows({
  rows,
  onClose,
}: {
  readonly rows: readonly SetAsideJson[] | undefined;
  readonly onClose: () => void;
}) {
  const [asked, setAsked] = useState(0);
  const retry = useRetrySetAside(setAsked);
  const toast = useToast();
  const close = (): void => {
    retry.reset();
    setAsked(0);
    onClose();
  };
  const all = rows?.length ?? 0;
  const [first] = rows ?? [];
  return (
    <ConfirmDialog
      open={rows !== undefined}
      title={
        all === 1 && first !== undefined
          ? `Retry the ${first.kind}?`
          : `Retry ${formatCount(all)} jobs?`
      }
      effect={effectText(rows ?? [])}
      action={all === 1 ? 'Retry' : `Retry ${formatCount(all)}`}
      isBusy={retry.isPending}
      error={retry.error}
      onClose={close}
      onConfirm={() =>
        retry.mutate(rows ?? [], {
          onSuccess: (result) => {
            toast(doneText(result));
            close();
          },
        })
      }
    >
      {retry.isPending && all > 1 && (
        <label>
          {asked} of {all}
          <progress max={all} value={asked} />
        </label>
      )}
    </ConfirmDialog>
  );
}

const effects = {
  payment: 'continues where it was, and may be charged',
  charge: 'is asked about at its processor; nothing is charged by it',
  delivery: 'is sent to the merchant',
  endpoint_delivery: 'is sent to the endpoint',
  request: 'is processed again',
} as const;

/** What becomes of the rows, kind by kind. */
function effectText(rows: readonly SetAsideJson[]): string {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const parts = kinds.map((kind) => `A ${kind} ${effects[kind]}.`);
  const due = `${count(rows.length, 'job is', 'jobs are')} due now; failures count from zero again.`;
  return [due, ...parts].join(' ');
}

function doneText({ due, left }: Retried): string {
  if (left === 0) return `${count(due, 'job is', 'jobs are')} due again.`;
  return `${due} due again; ${left} skipped: no longer set aside, or frozen by an incident.`;
}
