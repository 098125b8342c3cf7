import type { CohortJson, CurrencyOverviewJson, SumJson } from '../../api/generated/overview.ts';
import { declineClasses, declineClassLabels } from '../../parts/decline-classes.ts';
import { formatAmount } from '../../parts/format-amount.ts';
import { Panel } from '../../parts/panel.tsx';
import { percent } from '../../parts/percent.ts';

const outcomes = ['recovered', 'open', 'stopped', 'exhausted'] as const;
const words = {
  recovered: 'recovered',
  open: 'still open',
  stopped: 'stopped',
  exhausted: 'not recovered',
} as const;

/** Where failed money goes, by what the first decline meant. */
export function Funnel({ of }: { readonly of: CurrencyOverviewJson }) {
  const rows = [...of.funnel].sort(
    (a, b) => declineClasses.indexOf(a.category) - declineClasses.indexOf(b.category),
  );
  const max = Math.max(...rows.map(({ amount }) => amount), 1);
  if (rows.length === 0) return null;
  return (
    <Panel title="Where failed money goes" aside={<Legend />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys */}
      <section className="table-frame" tabIndex={0}>
        <table className="table" aria-label="Where failed money goes">
          <thead>
            <tr>
              <th scope="col">First decline</th>
              <th scope="col" className="right">
                Failed
              </th>
              <th scope="col">Outcome</th>
              <th scope="col" className="right wide-only">
                Recovered
              </th>
              <th scope="col" className="right">
                Rate
              </th>
              <th scope="col" className="right wide-only">
                Payments
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.category}>
                <th scope="row">{declineClassLabels[row.category] ?? row.category}</th>
                <td className="right">{formatAmount(row.amount, of.currency)}</td>
                <td>
                  <OutcomeBar row={row} share={row.amount / max} currency={of.currency} />
                </td>
                <td className="right wide-only">
                  {formatAmount(row.recovered.amount, of.currency)}
                </td>
                <td className="right">{percent(row.recovered.payments, row.payments)}</td>
                <td className="right wide-only">{row.payments}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
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
    <span className="outcome-bar" role="img" aria-label={label} title={label}>
      {parts.map(({ outcome, sum }) => (
        <span
          key={outcome}
          className={`outcome-${outcome}`}
          style={{ width: `${(sum.amount / Math.max(row.amount, 1e-9)) * share * 100}%` }}
        />
      ))}
    </span>
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
