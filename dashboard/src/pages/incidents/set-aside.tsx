import { useState } from 'react';
import { Link } from 'wouter';
import type { SetAsideJson } from '../../api/generated/set-aside.ts';
import { useMerchants } from '../../api/merchants.ts';
import { useSetAside } from '../../api/set-aside.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Filter } from '../../parts/filter.tsx';
import { merchantColumn } from '../../parts/merchant-column.ts';
import { Pager } from '../../parts/pager.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Time } from '../../parts/time.tsx';
import { paymentPath } from '../../state/payment-path.ts';
import { useViewState } from '../../state/view-state.ts';
import { RetryRows } from './retry-rows.tsx';
import { Views } from './views.tsx';

const kinds = ['payment', 'charge', 'delivery', 'endpoint_delivery', 'request'];

/** Work that was given up until a person looks, the longest set aside first. */
export function SetAsideList() {
  const view = useViewState();
  const [asked, setAsked] = useState<readonly SetAsideJson[]>();
  const filters = {
    merchant_id: view.merchantId,
    kind: view.param('kind'),
    cursor: view.param('cursor'),
    limit: 50,
  };
  const query = useSetAside(filters);
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  const columns = columnsOf({
    view,
    names: view.merchantId === undefined ? names : undefined,
    retry: (row) => setAsked([row]),
  });
  const rows = query.data?.items ?? [];
  return (
    <>
      <div className="page-head">
        <h1>Work that was set aside</h1>
        <Views current="/set-aside" />
        <div className="filters">
          <Filter name="Kind" param="kind" values={kinds} />
          {rows.length > 1 && (
            <button type="button" className="button" onClick={() => setAsked(rows)}>
              Retry these {rows.length}
            </button>
          )}
          <ExportButton list="/api/set-aside" filters={filters} />
        </div>
      </div>
      <QueryView query={query} what="what was set aside" rows={8}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <NothingAside isNarrowed={view.param('kind') !== undefined} />
          ) : (
            <>
              <DataTable name="Set aside" columns={columns} rows={items} rowKey={keyOf} />
              <Pager nextCursor={nextCursor} first="The longest" next="Later ones" />
            </>
          )
        }
      </QueryView>
      <RetryRows rows={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

function keyOf({ kind, merchant_id: merchantId, id }: SetAsideJson): string {
  return `${kind}/${merchantId}/${id}`;
}

function NothingAside({ isNarrowed }: { readonly isNarrowed: boolean }) {
  return (
    <Empty title={isNarrowed ? 'No such work is set aside' : 'No work is set aside'}>
      <p>
        Work that keeps failing waits longer each time. After a few failures it is set aside here
        with its last error, as is a payment whose tries reach no processor.
      </p>
    </Empty>
  );
}

function columnsOf(input: {
  readonly view: ReturnType<typeof useViewState>;
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly retry: (row: SetAsideJson) => void;
}): readonly Column<SetAsideJson>[] {
  const { view, names, retry } = input;
  const merchant = merchantColumn(names);
  return [
    {
      name: 'Work',
      cell: ({ kind, id, ...row }) => (
        <div className="breaks">
          {kind}{' '}
          {row.invoice_id === undefined ? (
            <code>{id}</code>
          ) : (
            <Link
              href={view.href(
                paymentPath({ merchant_id: row.merchant_id, invoice_id: row.invoice_id }),
              )}
            >
              {row.invoice_id}
            </Link>
          )}
          {row.invoice_id !== undefined && row.invoice_id !== id && (
            <div className="muted small">{id}</div>
          )}
        </div>
      ),
    },
    { name: 'Why', cell: ({ reason }) => <div className="breaks why">{reason}</div> },
    { name: 'Failures', align: 'right', cell: (row) => row.failures },
    { name: 'Set aside', cell: (row) => <Time at={row.set_aside_at} /> },
    ...(names === undefined ? [] : [merchant]),
    {
      name: 'Action',
      cell: (row) => (
        <button
          type="button"
          className="button"
          aria-label={`Retry the ${row.kind} ${row.id}`}
          onClick={() => retry(row)}
        >
          Retry
        </button>
      ),
    },
  ];
}
