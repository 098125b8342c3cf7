import { useAudit } from '../../api/audit.ts';
import type { AuditLineJson } from '../../api/generated/audit-log.ts';
import { useMerchants } from '../../api/merchants.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Filter } from '../../parts/filter.tsx';
import { Pager } from '../../parts/pager.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Time } from '../../parts/time.tsx';
import { useAskedSpan } from '../../state/asked-at.ts';
import { useViewState } from '../../state/view-state.ts';
import { AuditDetail } from './audit-detail.tsx';
import { actKinds, actKindText } from './audit-words.ts';
import { Verify } from './verify.tsx';
import { Views } from './views.tsx';

const actors = ['operator', 'merchant', 'service', 'training'];

/** What acts begin with. */
const acts = Object.keys(actKinds).map((kind) => `${kind}.`);

/** Who did what, the newest first. */
export function AuditLog() {
  const view = useViewState();
  const { span } = useAskedSpan(view.range);
  const asked = {
    merchant_id: view.merchantId,
    actor: view.param('actor'),
    action: view.param('act'),
    from: span.from,
    to: span.until,
    cursor: view.param('cursor'),
    limit: 100,
  };
  const query = useAudit(asked);
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  const columns = columnsOf(view.merchantId === undefined ? names : undefined);
  return (
    <>
      <div className="page-head">
        <h1>Audit log</h1>
        <Views current="/audit" />
        <div className="filters">
          <Filter name="Actor" param="actor" values={actors} />
          <Filter name="Action" param="act" values={acts} label={actKindText} />
          <ExportButton list="/api/audit" filters={asked} />
        </div>
      </div>
      <Verify merchantId={view.merchantId} />
      <QueryView query={query} what="the audit log" rows={8}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <NoLines />
          ) : (
            <>
              <DataTable
                name="Audit log"
                columns={columns}
                rows={items}
                rowKey={(row) => `${row.chain} ${row.line}`}
              />
              <Pager nextCursor={nextCursor} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function NoLines() {
  const view = useViewState();
  const shown = { actor: undefined, act: undefined, merchant: undefined, cursor: undefined };
  return (
    <Empty title="No such entries">
      <p>
        Every action of an operator, every sign-in and every time a person’s data was opened is
        recorded here. Entries are never changed or removed.
      </p>
      <button
        type="button"
        className="button"
        onClick={() => view.change({ ...shown, range: 'all' })}
      >
        Show all of it
      </button>
    </Empty>
  );
}

function columnsOf(
  merchantNames: ReadonlyMap<string, string> | undefined,
): readonly Column<AuditLineJson>[] {
  const merchant: Column<AuditLineJson> = {
    name: 'Merchant',
    cell: ({ merchant_id: id }) =>
      id === undefined ? <span className="muted">none</span> : (merchantNames?.get(id) ?? id),
  };
  return [
    { name: 'When', cell: (row) => <Time at={row.at} /> },
    { name: 'Actor', cell: (row) => row.actor },
    {
      name: 'IP address',
      cell: (row) => row.address ?? <span className="muted">inside</span>,
    },
    { name: 'Action', cell: (row) => <AuditDetail line={row} /> },
    ...(merchantNames === undefined ? [] : [merchant]),
    {
      name: 'Line',
      align: 'right',
      cell: (row) => <abbr title={row.hash}>{row.line}</abbr>,
    },
  ];
}
