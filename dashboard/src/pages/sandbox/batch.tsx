import type { BatchJson, BatchTotalJson } from '../../api/generated/sandbox.ts';
import { isOpen, useBatch, useReadBatchAgain } from '../../api/sandbox.ts';
import { Amount } from '../../parts/amount.tsx';
import { count, formatCount } from '../../parts/count.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { NextTry } from '../../parts/next-try.tsx';
import { Panel } from '../../parts/panel.tsx';
import { paymentState } from '../../parts/payment-state.ts';
import { percent } from '../../parts/percent.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useLive } from '../../state/live.ts';
import { useViewState } from '../../state/view-state.ts';

/** The payments of a batch, recovering as time moves; it follows their changes as they are told. */
export function Batch({ batch }: { readonly batch: string | undefined }) {
  if (batch === undefined) {
    return (
      <Empty title="No payments are watched">
        <p>
          Generate some failing payments, then let time play: each is retried at its own hour, and
          its state and money are shown here as they change.
        </p>
      </Empty>
    );
  }
  return (
    <Panel title="Recovering now">
      <Watched batch={batch} />
    </Panel>
  );
}

function Watched({ batch }: { readonly batch: string }) {
  const readAgain = useReadBatchAgain(batch);
  useLive((changes) => {
    if (changes.some(({ invoice_id: id }) => id.startsWith(`inv_sim_${batch}_`))) readAgain();
  });
  return (
    <QueryView query={useBatch(batch)} what="the payments of this batch" rows={8}>
      {(data) => <Shown {...data} />}
    </QueryView>
  );
}

function Shown({ totals, latest }: BatchJson) {
  const view = useViewState();
  return (
    <div className="batch">
      <Sums totals={totals} />
      <States totals={totals} />
      <DataTable
        name="Payments that changed last"
        rows={latest}
        rowKey={(row) => row.invoice_id}
        columns={[
          {
            name: 'Amount',
            align: 'right',
            cell: (row) => <Amount value={row.amount} currency={row.currency} />,
          },
          {
            name: 'Invoice',
            cell: ({ merchant_id: merchantId, invoice_id: id }) => (
              <RowLink
                href={view.href(
                  `/payments/${encodeURIComponent(merchantId)}/${encodeURIComponent(id)}`,
                )}
              >
                {id}
              </RowLink>
            ),
          },
          { name: 'State', cell: (row) => <StatePill state={paymentState(row)} /> },
          {
            name: 'Next attempt',
            cell: (row) => <NextTry {...row} />,
          },
          { name: 'Attempts', align: 'right', cell: (row) => row.attempt_count },
          { name: 'Changed', cell: (row) => <Time at={row.updated_at} /> },
        ]}
      />
    </div>
  );
}

function Sums({ totals }: { readonly totals: readonly BatchTotalJson[] }) {
  const currency = totals[0]?.currency ?? 'USD';
  const sum = (of: readonly BatchTotalJson[]) => ({
    amount: formatAmount(
      of.reduce((whole, { amount }) => whole + amount, 0),
      currency,
    ),
    count: of.reduce((whole, each) => whole + each.count, 0),
  });
  const all = sum(totals);
  const recovered = sum(totals.filter(({ status }) => status === 'recovered'));
  const open = sum(totals.filter(isOpen));
  return (
    <Figures>
      <Figure
        name="Recovered"
        value={recovered.amount}
        beside={`of ${all.amount}; ${count(recovered.count, 'payment', 'payments')}`}
      />
      <Figure
        name="Still at risk"
        value={open.amount}
        beside={count(open.count, 'payment', 'payments')}
      />
      <Figure
        name="Recovery rate"
        value={percent(recovered.count, all.count)}
        beside={`n = ${count(all.count, 'payment', 'payments')}`}
      />
    </Figures>
  );
}

const order = ['recovered', 'attempting', 'scheduled', 'exhausted', 'stopped'];

/** The states as shares of a bar, each with its word and count below. */
function States({ totals }: { readonly totals: readonly BatchTotalJson[] }) {
  const counts = order.map((state) => {
    const of = totals.filter(({ status }) => status === state);
    return { state, count: of.reduce((whole, each) => whole + each.count, 0) };
  });
  return (
    <div>
      <div className="state-bar" aria-hidden="true">
        {counts.map((each) => (
          <span
            key={each.state}
            className={`state-share share-${each.state}`}
            style={{ flexGrow: each.count }}
          />
        ))}
      </div>
      <ul className="state-counts">
        {counts
          .filter((each) => each.count > 0)
          .map((each) => (
            <li key={each.state}>
              <StatePill state={each.state} /> {formatCount(each.count)}
            </li>
          ))}
      </ul>
    </div>
  );
}
