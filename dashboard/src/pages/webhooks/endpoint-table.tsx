import type { EndpointHealthJson } from '../../api/generated/deliveries.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { formatShare } from '../../parts/percent.ts';
import { RowLink } from '../../parts/row-link.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { endpointName } from './endpoint-name.ts';

/** Every endpoint, those that fail first. */
export function EndpointTable({
  endpoints,
}: {
  readonly endpoints: readonly EndpointHealthJson[];
}) {
  const view = useViewState();
  if (endpoints.length === 0) {
    return (
      <Empty title="No merchant yet">
        <p>Each merchant has an endpoint that receives its results. Create the first one:</p>
        <Copyable text="npm run recoup -- merchants create --help" />
      </Empty>
    );
  }
  const columns: readonly Column<EndpointHealthJson>[] = [
    {
      name: 'Merchant',
      sort: (row) => row.merchant_name,
      cell: (row) => (
        <RowLink
          href={view.href('/webhooks', {
            merchant: row.merchant_id,
            endpoint: row.endpoint_id === 'primary' ? undefined : row.endpoint_id,
          })}
        >
          {row.merchant_name}
        </RowLink>
      ),
    },
    { name: 'Endpoint', sort: endpointName, cell: endpointName },
    { name: 'State', sort: (row) => row.state, cell: (row) => <StatePill state={row.state} /> },
    {
      name: 'Pending',
      align: 'right',
      sort: (row) => row.waiting,
      cell: (row) => (row.waiting >= 1_000 ? '1,000 or more' : row.waiting),
    },
    {
      name: 'Failing since',
      cell: (row) => row.failing_since !== undefined && <Time at={row.failing_since} />,
    },
    {
      name: 'Given up (14\u00a0days)',
      align: 'right',
      sort: (row) => row.exhausted,
      cell: (row) => row.exhausted,
    },
    {
      name: 'Last accepted',
      cell: (row) =>
        row.last_delivered_at === undefined ? 'never' : <Time at={row.last_delivered_at} />,
    },
    {
      name: 'Median answer',
      cell: ({ duration_ms: ms }) =>
        ms && (
          <>
            <div className="nowrap">{ms.median} ms</div>
            <div className="muted nowrap">
              {formatShare(0.95)}: {ms.p95} ms
            </div>
          </>
        ),
    },
  ];
  return (
    <DataTable
      name="Endpoints"
      columns={columns}
      rows={endpoints}
      rowKey={(row) => `${row.merchant_id} ${row.endpoint_id}`}
    />
  );
}
