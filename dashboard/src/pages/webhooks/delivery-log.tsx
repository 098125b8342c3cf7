import type { LoggedDeliveryJson } from '../../api/generated/deliveries.ts';
import { apiPath } from '../../api/request.ts';
import { useDeliveries } from '../../api/webhooks.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Filter } from '../../parts/filter.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { StatePill, stateName } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { deliveryPath } from './delivery-path.ts';
import { deliveryState } from './delivery-state.ts';

/** The deliveries to one of a merchant's endpoints, the newest first. */
export function DeliveryLog({
  merchantId,
  endpointId,
}: {
  readonly merchantId: string;
  readonly endpointId: string;
}) {
  const view = useViewState();
  const asked = {
    status: view.param('status'),
    endpoint_id: endpointId === 'primary' ? undefined : endpointId,
    cursor: view.param('cursor'),
    limit: 100,
  };
  const query = useDeliveries(merchantId, asked);
  const columns: readonly Column<LoggedDeliveryJson>[] = [
    {
      name: 'Event',
      cell: (row) => (
        <RowLink
          href={view.href(deliveryPath(merchantId, row.event_id), { endpoint: row.endpoint_id })}
        >
          {row.event_id}
        </RowLink>
      ),
    },
    { name: 'State', cell: (row) => <StatePill state={deliveryState(row.status)} /> },
    { name: 'Recorded', cell: (row) => <Time at={row.created_at} /> },
    { name: 'Kind', cell: (row) => row.type },
    { name: 'Invoice', cell: (row) => row.invoice_id ?? '' },
    { name: 'Sends', align: 'right', cell: (row) => row.tries },
    { name: 'Last answer', cell: lastAnswer },
    {
      name: 'Next send',
      cell: (row) => (row.next_attempt_at === undefined ? '' : <Time at={row.next_attempt_at} />),
    },
  ];
  return (
    <Panel
      title="Deliveries"
      aside={
        <div className="filters">
          <Filter
            name="State"
            param="status"
            values={['pending', 'delivered', 'exhausted']}
            label={(status) => stateName(deliveryState(status))}
          />
          <ExportButton list={apiPath('merchants', merchantId, 'deliveries')} filters={asked} />
        </div>
      }
    >
      <QueryView query={query} what="the deliveries" rows={6}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <Empty title="No deliveries">
              <p>A webhook is sent after each attempt that reached the processor.</p>
            </Empty>
          ) : (
            <>
              <DataTable
                name="Deliveries"
                columns={columns}
                rows={items}
                rowKey={(row) => row.event_id}
              />
              <Pager nextCursor={nextCursor} />
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}

function lastAnswer(row: LoggedDeliveryJson): string {
  return row.last_status === undefined ? (row.last_error ?? '') : `status ${row.last_status}`;
}
