import type { CohortJson, CurrencyOverviewJson, SumJson } from '../../api/generated/overview.ts';
import { formatCount } from '../../parts/count.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { declineClasses, declineClassLabels } from '../../parts/decline-classes.ts';
import { formatAmount } from '../../parts/format-amount.ts';
import { Panel } from '../../parts/panel.tsx';
import { percent } from '../../parts/percent.ts';
import { Tip } from '../../parts/tip.tsx';

const outcomes = ['recovered', 'open', 'stopped', 'exhausted'] as const;
const words = {
  recovered: 'recovered',
  open: 'still open',
  stopped: 'stopped',
  exhausted: 'not recovered',
} as const;

/** Outcome by decline type, by what the first decline meant. */
export function Funnel({ of }: { readonly of: CurrencyOverviewJson }) {
  const rows = [...of.funnel].sort(
    (a, b) => declineClasses.indexOf(a.category) - declineClasses.indexOf(b.category),
  );
  const max = Math.max(...rows.map(({ amount }) => amount), 1);
  if (rows.length === 0) return null;
  return (
    <Panel title="Outcome by decline type" aside={<Legend />}>
      <DataTable
        name="Outcome by decline type"
        rows={rows}
        rowKey={({ category }) => category}
        columns={[
          {
            name: 'First decline',
            cell: ({ category }) => declineClassLabels[category] ?? category,
          },
          {
            name: 'Failed',
            align: 'right',
            cell: (row) => formatAmount(row.amount, of.currency),
          },
          {
            name: 'Outcome',
            cell: (row) => <OutcomeBar row={row} share={row.amount / max} currency={of.currency} />,
          },
          {
            name: 'Recovered',
            align: 'right',
            cell: (row) => formatAmount(row.recovered.amount, of.currency),
          },
          {
            name: 'Rate',
            align: 'right',
            cell: (row) => percent(row.recovered.payments, row.payments),
          },
          { name: 'Payments', align: 'right', cell: (row) => formatCount(row.payments) },
        ]}
      />
    </Panel>
  );
}

function OutcomeBar({
  row,
  share,
  currency,
}: {
  readonly row: CohortJson;
  readonly share: number;
  readonly currency: string;
}) {
  const parts = outcomes.map((outcome) => ({ outcome, sum: row[outcome] as SumJson }));
  const label = parts
    .map(({ outcome, sum }) => `${words[outcome]} ${formatAmount(sum.amount, currency)}`)
    .join(', ');
  return (
    <Tip text={label}>
      <span className="outcome-bar" role="img" aria-label={label}>
        {parts.map(({ outcome, sum }) => (
          <span
            key={outcome}
            className={`outcome-${outcome}`}
            style={{ width: `${(sum.amount / Math.max(row.amount, 1e-9)) * share * 100}%` }}
          />
        ))}
      </span>
    </Tip>
  );
}

function Legend() {
  return (
    <ul className="legend small">
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <span className={`swatch outcome-${outcome}`} aria-hidden="true" /> {words[outcome]}
        </li>
      ))}
    </ul>
  );
}
