import type { ControlDifferenceJson, ControlSumJson } from '../../api/generated/service.ts';
import { useMerchants } from '../../api/merchants.ts';
import { useInvariants } from '../../api/overview.ts';
import { formatCount } from '../../parts/count.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { formatMinor } from '../../parts/format-amount.ts';
import { merchantColumn } from '../../parts/merchant-column.ts';
import { Panel } from '../../parts/panel.tsx';
import { pspTitle } from '../../parts/psp-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { useSeesAll } from '../../state/sees-all.ts';
import { Views } from './views.tsx';

/** Each promise with its breaches, and the days whose sums do not agree. */
export function Invariants() {
  const seesAll = useSeesAll();
  return (
    <>
      <div className="page-head">
        <h1>Ledger checks</h1>
        <Views current="/invariants" />
        {seesAll && (
          <div className="filters">
            <ExportButton list="/api/invariants" filters={{}} />
          </div>
        )}
      </div>
      {seesAll ? <Checks /> : <NotOfSome />}
    </>
  );
}

/** What the service would refuse an operator of some merchants is not asked for. */
function NotOfSome() {
  return (
    <Empty title="The checks are about all merchants">
      <p>
        You have access to only some merchants. Ask an administrator of Recoup for access to all.
      </p>
    </Empty>
  );
}

function Checks() {
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  return (
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
              { name: 'Check', cell: ({ promise }) => promise },
              { name: 'Breaches', align: 'right', cell: ({ breaches }) => formatCount(breaches) },
            ]}
          />
          {differences.length > 0 && (
            <Panel
              title="Days whose sums do not agree"
              aside={<ExportButton list="/api/invariant-differences" filters={{}} of="days" />}
            >
              <DataTable
                name="Differences"
                rows={differences}
                rowKey={keyOf}
                columns={[merchantColumn(names), ...columns]}
              />
            </Panel>
          )}
        </>
      )}
    </QueryView>
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
    cell: ({ psp, connection_version: version, currency }) => (
      <span className="nowrap">
        {psp === undefined
          ? 'webhooks'
          : `${pspTitle(psp)}, account ${version ?? ''}, ${currency ?? ''}`}
      </span>
    ),
  },
  { name: 'Charged', align: 'right', cell: (row) => sumText(row, row.charged) },
  { name: 'Recovered', align: 'right', cell: (row) => sumText(row, row.recovered) },
  { name: 'Announced', align: 'right', cell: (row) => sumText(row, row.announced) },
  {
    name: 'Webhooks',
    cell: ({ psp, events }) =>
      psp === undefined
        ? `${events.created} created, ${events.delivered} delivered, ${events.pending} pending, ${events.given_up} given up`
        : '–',
  },
];

/** An amount, and of how many charges, payments or events. */
function sumText({ currency }: ControlDifferenceJson, { count, amount_minor }: ControlSumJson) {
  return currency === undefined
    ? '–'
    : `${formatMinor(amount_minor, currency)} (${formatCount(count)})`;
}
