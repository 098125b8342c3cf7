import { Link } from 'wouter';
import { useMerchantList } from '../../api/merchants.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { useViewState } from '../../state/view-state.ts';

/** Every merchant, and the way to its settings. */
export function MerchantList() {
  const view = useViewState();
  return (
    <>
      <div className="page-head">
        <h1>Merchants</h1>
        <div className="actions">
          <ExportButton list="/api/merchants" filters={{}} />
          <Link href={view.href('/merchants/new')} className="button primary">
            Create a merchant
          </Link>
        </div>
      </div>
      <QueryView query={useMerchantList()} what="the merchants">
        {(merchants) =>
          merchants.length === 0 ? (
            <Empty title="There is no merchant yet">
              <p>Create one with its two addresses and a processor; it takes a minute.</p>
            </Empty>
          ) : (
            <DataTable
              name="Merchants"
              rows={merchants}
              rowKey={(row) => row.id}
              columns={[
                {
                  name: 'Name',
                  cell: (row) => (
                    <>
                      <RowLink href={view.href(`/merchants/${encodeURIComponent(row.id)}`)}>
                        {row.name}
                      </RowLink>
                      {row.move && <span className="muted"> ({row.move.state})</span>}
                    </>
                  ),
                },
                { name: 'Id', cell: (row) => <code className="breaks">{row.id}</code> },
                {
                  name: 'Webhook endpoint',
                  cell: (row) => <span className="breaks">{row.webhook_url}</span>,
                },
              ]}
            />
          )
        }
      </QueryView>
    </>
  );
}
