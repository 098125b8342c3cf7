import type { IncidentJson } from '../../api/generated/incidents.ts';
import { useIncidents } from '../../api/incidents.ts';
import { useMerchants } from '../../api/merchants.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Filter } from '../../parts/filter.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { merchantColumn } from '../../parts/merchant-column.ts';
import { Pager } from '../../parts/pager.tsx';
import { pspTitle } from '../../parts/psp-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { Views } from './views.tsx';

const states = ['unresolved', 'open', 'refunding', 'refunded', 'dismissed'];

/** What contradicts the record, the newest first. */
export function IncidentList() {
  const view = useViewState();
  const asked = {
    merchant_id: view.merchantId,
    invoice_id: view.param('invoice'),
    state: view.param('state'),
    cursor: view.param('cursor'),
    limit: 50,
  };
  const query = useIncidents(asked);
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  const columns = columnsOf(view, view.merchantId === undefined ? names : undefined);
  const invoice = view.param('invoice');
  return (
    <>
      <div className="page-head">
        <h1>{invoice === undefined ? 'Incidents' : `Incidents of ${invoice}`}</h1>
        <Views current="/incidents" />
        <div className="filters">
          <Filter name="State" param="state" values={states} />
          {invoice !== undefined && (
            <button
              type="button"
              className="button"
              onClick={() => view.change({ invoice: undefined, cursor: undefined })}
            >
              Those of every invoice
            </button>
          )}
          <ExportButton list="/api/incidents" filters={asked} />
        </div>
      </div>
      <QueryView query={query} what="the incidents" rows={8}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <NoIncidents />
          ) : (
            <>
              <DataTable name="Incidents" columns={columns} rows={items} rowKey={(row) => row.id} />
              <Pager nextCursor={nextCursor} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function NoIncidents() {
  const view = useViewState();
  const isNarrowed = view.param('state') !== undefined || view.merchantId !== undefined;
  return (
    <Empty title={isNarrowed ? 'There are no such incidents' : 'Nothing contradicts the record'}>
      <p>
        Every answer, webhook and look-up from a processor is compared with the record, and its list
        of charges is compared every night. Whatever does not match is shown here.
      </p>
      {isNarrowed && (
        <button
          type="button"
          className="button"
          onClick={() => view.change({ state: undefined, merchant: undefined, cursor: undefined })}
        >
          Show all incidents of all merchants
        </button>
      )}
    </Empty>
  );
}

function columnsOf(
  view: ReturnType<typeof useViewState>,
  merchantNames: ReadonlyMap<string, string> | undefined,
): readonly Column<IncidentJson>[] {
  const merchant = merchantColumn(merchantNames);
  return [
    { name: 'Amount', align: 'right', cell: amount },
    {
      name: 'Incident',
      cell: (row) => (
        <RowLink href={view.href(`/incidents/${encodeURIComponent(row.id)}`)}>
          {row.kind.replaceAll('_', ' ')}
        </RowLink>
      ),
    },
    { name: 'State', cell: (row) => <StatePill state={row.state} /> },
    {
      name: 'Invoice',
      cell: ({ invoice_id: invoiceId }) =>
        invoiceId ?? <span className="muted">none is known</span>,
    },
    { name: 'Ours', cell: (row) => sideWord(row.ours) },
    { name: 'Theirs', cell: (row) => sideWord(row.theirs) },
    { name: 'Processor', cell: (row) => pspTitle(row.psp) },
    { name: 'Found', cell: (row) => <Time at={row.opened_at} /> },
    ...(merchantNames === undefined ? [] : [merchant]),
  ];
}

function sideWord(side: IncidentJson['ours']): string {
  return side?.state.replaceAll('_', ' ') ?? 'nothing';
}

/** What the processor says was taken, else what was sent. */
function amount({ ours, theirs }: IncidentJson) {
  const value = theirs?.amount ?? ours?.amount;
  const currency = theirs?.currency ?? ours?.currency;
  if (value === undefined || currency === undefined) {
    return <span className="muted">not known</span>;
  }
  return <span className="amount">{formatAmount(value, currency)}</span>;
}
