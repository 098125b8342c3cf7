import type { CardNearLimitJson } from '../../api/generated/limits.ts';
import { useCardsNearLimit } from '../../api/limits.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { networkName } from '../../parts/network-name.ts';
import { Pager } from '../../parts/pager.tsx';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { Time } from '../../parts/time.tsx';
import { useViewState } from '../../state/view-state.ts';

/** Cards that have used half or more of what their network allows in 30 days. */
export function Cards() {
  const view = useViewState();
  const asked = {
    merchant_id: view.merchantId,
    cursor: view.param('cursor'),
    limit: 50,
  };
  const query = useCardsNearLimit(asked);
  const left = ({ tries, most }: CardNearLimitJson): number => Math.max(0, most - tries);
  return (
    <Panel
      title="Cards near a limit"
      aside={
        <div className="filters">
          <span className="muted">30 days</span>
          <ExportButton list="/api/cards-near-limit" filters={asked} of="cards" />
        </div>
      }
    >
      <QueryView query={query} what="the cards" rows={5}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <p className="muted">
              No card has used half of what its network allows. No charge goes over a limit,
              whatever a plan or a request says.
            </p>
          ) : (
            <div className="batch">
              <DataTable
                name="Cards, the least left first"
                rows={items}
                rowKey={(row) =>
                  `${row.merchant_id} ${row.card} ${row.acceptor} ${row.counter ?? ''}`
                }
                columns={[
                  {
                    name: 'Left',
                    align: 'right',
                    cell: (row) => (left(row) === 0 ? '✕ none' : left(row)),
                  },
                  {
                    name: 'Used',
                    align: 'right',
                    cell: (row) => `${row.tries} of ${row.most}`,
                  },
                  { name: 'Network', cell: (row) => networkName(row.network) },
                  {
                    name: 'Last invoice',
                    cell: (row) => (
                      <RowLink
                        href={view.href(
                          `/payments/${encodeURIComponent(row.merchant_id)}/${encodeURIComponent(row.invoice_id)}`,
                        )}
                      >
                        {row.invoice_id}
                      </RowLink>
                    ),
                  },
                  {
                    name: 'Method',
                    cell: (row) => <span className="breaks">{row.payment_method_id}</span>,
                  },
                  {
                    name: 'Counted',
                    cell: (row) => counterText(row.counter),
                  },
                  { name: 'Last try', cell: (row) => <Time at={row.last_at} /> },
                  {
                    name: 'Oldest leaves',
                    cell: (row) => <Time at={row.oldest_leaves_at} />,
                  },
                ]}
              />
              <Pager nextCursor={nextCursor} />
            </div>
          )
        }
      </QueryView>
    </Panel>
  );
}

function counterText(counter: string | undefined): string {
  if (counter === undefined) return 'all of the card';
  const [initiator, credential] = counter.split(' ');
  const who = initiator === 'cit' ? 'by the customer' : 'by the merchant';
  return `${who}, ${credential === 'token' ? 'network token' : 'card number'}`;
}
