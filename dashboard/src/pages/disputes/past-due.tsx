import { useDisputes } from '../../api/disputes.ts';
import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import type { Query } from '../../api/request.ts';
import { count } from '../../parts/count.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/panel.tsx';

const shown = 50;

/** Disputes whose answer was due before: apart, since nobody can answer most of them any more. */
export function PastDue({
  asked,
  columns,
}: {
  /** Until when, and of whom. */
  readonly asked: Query;
  readonly columns: readonly Column<DisputeSummaryJson>[];
}) {
  const { data } = useDisputes({ ...asked, order: 'deadline', limit: shown });
  if (data === undefined || data.items.length === 0) return null;
  const isWhole = data.next_cursor === undefined;
  const estimated = data.items.filter(({ is_psp_deadline: isOwn }) => isOwn !== true).length;
  return (
    <Panel
      title="Past due"
      aside={
        <span className="muted">
          {isWhole ? '' : 'more than '}
          {count(data.items.length, 'dispute', 'disputes')}, the longest first
        </span>
      }
    >
      <p className="muted">
        The processor accepts no answer after its date.{' '}
        {estimated > 0 &&
          `Of ${count(estimated, 'dispute', 'disputes')} the date is estimated: look it up there.`}
      </p>
      <DataTable
        name="Disputes past due"
        columns={columns}
        rows={data.items}
        rowKey={(row) => row.id}
      />
    </Panel>
  );
}
