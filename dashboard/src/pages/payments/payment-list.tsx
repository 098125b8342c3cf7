import { Link } from 'wouter';
import type { PaymentSummaryJson } from '../../api/generated/payments.ts';
import { useMerchants } from '../../api/merchants.ts';
import { usePayments } from '../../api/payments.ts';
import { Amount } from '../../parts/amount.tsx';
import { Clipped } from '../../parts/clipped.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Filter } from '../../parts/filter.tsx';
import { LiveBar } from '../../parts/live-bar.tsx';
import { merchantColumn } from '../../parts/merchant-column.ts';
import { NextTry } from '../../parts/next-try.tsx';
import { Pager } from '../../parts/pager.tsx';
import { paymentState, paymentStates, stateQuery } from '../../parts/payment-state.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useAskedSpan } from '../../state/asked-at.ts';
import { customerPath } from '../../state/customer-path.ts';
import { paymentPath } from '../../state/payment-path.ts';
import { usePortal } from '../../state/portal.ts';
import { useViewState } from '../../state/view-state.ts';
import { BulkActions } from './bulk-actions.tsx';
import { NoPayments } from './no-payments.tsx';

/** Payments that a search names, or the newest of a state and a time. A search looks at all times. */
export function PaymentList() {
  const view = useViewState();
  const isOperator = usePortal() === undefined;
  const search = view.param('q');
  const { span, askSpan } = useAskedSpan(view.range);
  const asked = {
    merchant_id: view.merchantId,
    ...stateQuery(view.param('status')),
    search,
    created_from: search === undefined ? span.from : undefined,
    created_to: search === undefined ? span.until : undefined,
    cursor: view.param('cursor'),
    limit: 100,
  };
  const query = usePayments(asked);
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  const columns = columnsOf(view, view.merchantId === undefined ? names : undefined);
  return (
    <>
      <div className="page-head">
        <h1>{search === undefined ? 'Payments' : `Search for “${search}”`}</h1>
        <div className="filters">
          <Filter name="State" param="status" values={paymentStates} />
          {search !== undefined && (
            <button
              type="button"
              className="button"
              onClick={() => view.change({ q: undefined, cursor: undefined })}
            >
              Clear the search
            </button>
          )}
          {search === undefined && isOperator && <BulkActions filters={asked} />}
          <ExportButton list="/api/payments" filters={asked} />
          <LiveBar
            onShow={() => {
              askSpan();
              void query.refetch();
            }}
          />
        </div>
      </div>
      <QueryView query={query} what="the payments" rows={8}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <NoPayments search={search} />
          ) : (
            <>
              {search !== undefined && <OfOneCustomer payments={items} />}
              <DataTable
                name="Payments"
                columns={columns}
                rows={items}
                rowKey={(row) => `${row.merchant_id}/${row.invoice_id}`}
              />
              <Pager nextCursor={nextCursor} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

/** Where a search found the payments of one customer, the way to all that this customer has here. */
function OfOneCustomer({ payments }: { readonly payments: readonly PaymentSummaryJson[] }) {
  const view = useViewState();
  const paths = new Set(payments.map(customerPath));
  const [path] = paths;
  if (path === undefined || paths.size > 1) return null;
  return (
    <p>
      All of them are of one customer:{' '}
      <Link href={view.href(path)}>open {payments[0]?.customer_id}</Link>
    </p>
  );
}

function columnsOf(
  view: ReturnType<typeof useViewState>,
  merchantNames: ReadonlyMap<string, string> | undefined,
): readonly Column<PaymentSummaryJson>[] {
  const merchant = merchantColumn(merchantNames);
  return [
    {
      name: 'Amount',
      align: 'right',
      cell: (row) => <Amount value={row.amount} currency={row.currency} />,
    },
    {
      name: 'Invoice',
      cell: (row) => <RowLink href={view.href(paymentPath(row))}>{row.invoice_id}</RowLink>,
    },
    {
      name: 'State',
      cell: (row) => <StatePill state={paymentState(row)} />,
    },
    { name: 'Next attempt', cell: (row) => <NextTry {...row} /> },
    { name: 'Attempts', align: 'right', cell: (row) => row.attempt_count },
    { name: 'Failed', cell: (row) => <Time at={row.failed_at} /> },
    {
      name: 'Customer',
      cell: (row) => (
        <Link href={view.href(customerPath(row))} className="cell-link">
          <Clipped text={row.customer_id} />
        </Link>
      ),
    },
    ...(merchantNames === undefined ? [] : [merchant]),
  ];
}
