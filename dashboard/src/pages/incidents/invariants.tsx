import type { ControlDifferenceJson, ControlSumJson } from '../../api/generated/service.ts';
import { useMerchants } from '../../api/merchants.ts';
import { useInvariants } from '../../api/overview.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { merchantColumn } from '../../parts/merchant-column.ts';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Views } from './views.tsx';

/** Each promise with its breaches, and the days whose sums do not agree. */
export function Invariants() {
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  return (
    <>
      <div className="page-head">
        <h1>Ledger checks</h1>
        <Views current="/invariants" />
      </div>
      <QueryView query={useInvariants()} what="the invariants" rows={8}>
        {({ items, differences }) => (
          <>
            <DataTable
              name="Promises"
              rows={items}
              rowKey={({ name }) => name}
              columns={[
                {
                  name: 'State',
                  cell: ({ breaches }) => <StatePill state={breaches === 0 ? 'holds' : 'broken'} />,
                },
                { name: 'Check', cell: ({ promise }) => <div className="why">{promise}</div> },
                { name: 'Breaches', align: 'right', cell: ({ breaches }) => breaches },
              ]}
            />
            {differences.length > 0 && (
              <Panel title="Days whose sums do not agree">
                <DataTable
                  name="Differences"
                  rows={differences}
                  rowKey={keyOf}
                  columns={[...columns, merchantColumn(names)]}
                />
              </Panel>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

function keyOf(row: ControlDifferenceJson): string {
  const { merchant_id, day, psp, connection_version, currency } = row;
  return [merchant_id, day, psp, connection_version, currency].join('/');
}

const columns: readonly Column<ControlDifferenceJson>[] = [
  { name: 'Day (UTC)', cell: ({ day }) => <span className="nowrap">{day}</span> },
  {
    name: 'Of',
    cell: ({ psp, connection_version: version, currency }) =>
      psp === undefined ? 'events' : `${psp} ${version ?? ''} ${currency ?? ''}`,
  },
  { name: 'Charged', align: 'right', cell: (row) => sumText(row, row.charged) },
  { name: 'Recovered', align: 'right', cell: (row) => sumText(row, row.recovered) },
  { name: 'Announced', align: 'right', cell: (row) => sumText(row, row.announced) },
  {
    name: 'Events: created, delivered, pending, given up',
    cell: ({ events }) =>
      [events.created, events.delivered, events.pending, events.given_up].join(', '),
  },
];

/** In minor units, as the sums are kept. */
function sumText({ psp }: ControlDifferenceJson, { count, amount_minor: minor }: ControlSumJson) {
  return psp === undefined ? '–' : `${count} over ${minor} minor units`;
}
