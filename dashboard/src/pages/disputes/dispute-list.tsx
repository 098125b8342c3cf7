import { useDisputes } from '../../api/disputes.ts';
import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import { useMerchants } from '../../api/merchants.ts';
import { Amount } from '../../parts/amount.tsx';
import { count } from '../../parts/count.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DisputePill } from '../../parts/dispute-pill.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { Filter } from '../../parts/filter.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { merchantColumn } from '../../parts/merchant-column.ts';
import { Pager } from '../../parts/pager.tsx';
import { pspTitle } from '../../parts/psp-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { Time } from '../../parts/time.tsx';
import { usePortal } from '../../state/portal.ts';
import { useNow } from '../../state/service-time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { AssigneeFilter, assigneeText } from './assignee.tsx';
import { Deadline } from './deadline.tsx';
import { PastDue } from './past-due.tsx';
import { Views } from './views.tsx';

const statuses = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'accepted',
  'expired',
  'prevented',
  'closed',
];
const soonDays = 7;
const minuteMs = 60_000;

/** Disputes that await an answer, the soonest deadline first; or all of them, the newest first. */
export function DisputeList() {
  const view = useViewState();
  const now = toTheMinute(useNow());
  const isAll = view.param('show') === 'all';
  const isOperator = usePortal() === undefined;
  const asked = {
    merchant_id: view.merchantId,
    assigned_to: view.param('assigned_to'),
    ...(isAll ? { status: view.param('status') } : { order: 'deadline', due_from: now }),
    cursor: view.param('cursor'),
    limit: 100,
  };
  const pastDue = {
    merchant_id: view.merchantId,
    assigned_to: view.param('assigned_to'),
    due_before: now,
  };
  const query = useDisputes(asked);
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  const columns = columnsOf(view, {
    merchantNames: view.merchantId === undefined ? names : undefined,
    isOperator,
  });
  return (
    <>
      <div className="page-head">
        <h1>{isAll ? 'All disputes and fraud warnings' : 'Disputes needing a response'}</h1>
        <Views current="/disputes" />
        <div className="filters">
          <button
            type="button"
            className="button"
            onClick={() =>
              view.change({ show: isAll ? undefined : 'all', status: undefined, cursor: undefined })
            }
          >
            {isAll ? 'Needing a response' : 'Show all'}
          </button>
          {isAll && <Filter name="Status" param="status" values={statuses} />}
          {isOperator && <AssigneeFilter merchantId={view.merchantId} />}
          <ExportButton list="/api/disputes" filters={asked} />
        </div>
      </div>
      <QueryView query={query} what="the disputes" rows={8}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <NoDisputes isAll={isAll} />
          ) : (
            <>
              {!isAll && <Due items={items} isAll={nextCursor === undefined} />}
              <DataTable name="Disputes" columns={columns} rows={items} rowKey={(row) => row.id} />
              <Pager nextCursor={nextCursor} />
            </>
          )
        }
      </QueryView>
      {!isAll && <PastDue asked={pastDue} columns={columns} />}
    </>
  );
}

/** So that a query stays the same for a while. */
function toTheMinute(now: Date): string {
  return new Date(Math.floor(now.getTime() / minuteMs) * minuteMs).toISOString();
}

function NoDisputes({ isAll }: { readonly isAll: boolean }) {
  return isAll ? (
    <Empty title="There are no such disputes">
      <p>
        Processors report disputes by webhook; each connection’s address is on the page of its
        merchant. Merchants report those of other processors by POST /v1/disputes.
      </p>
    </Empty>
  ) : (
    <Empty title="No dispute needs an answer">
      <p>New disputes appear here at once, the earliest deadline first.</p>
    </Empty>
  );
}

/** The money of what is due soon. A page that is not the last may leave some out, and says so. */
function Due({
  items,
  isAll,
}: {
  readonly items: readonly DisputeSummaryJson[];
  readonly isAll: boolean;
}) {
  const soon = items.filter(({ days_left: days }) => days !== undefined && days <= soonDays);
  const isWhole = isAll || soon.length < items.length;
  const sums = new Map<string, number>();
  for (const { amount, currency } of soon) {
    if (amount === undefined || currency === undefined) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + amount);
  }
  const words = [...sums].map(([currency, sum]) => formatAmount(sum, currency)).join(' + ');
  const beside = `${isWhole ? '' : 'at least '}${count(soon.length, 'dispute', 'disputes')}`;
  return (
    <Figures>
      <Figure name={`Due within ${soonDays} days`} value={words || 'nothing'} beside={beside} />
    </Figures>
  );
}

function columnsOf(
  view: ReturnType<typeof useViewState>,
  {
    merchantNames,
    isOperator,
  }: {
    readonly merchantNames: ReadonlyMap<string, string> | undefined;
    readonly isOperator: boolean;
  },
): readonly Column<DisputeSummaryJson>[] {
  const merchant = merchantColumn(merchantNames);
  return [
    { name: 'Amount', align: 'right', cell: amount },
    {
      name: 'Dispute',
      cell: (row) => (
        <RowLink href={view.href(`/disputes/${encodeURIComponent(row.id)}`)}>
          {row.psp_dispute_id}
        </RowLink>
      ),
    },
    { name: 'Respond by', cell: (row) => <Deadline dispute={row} /> },
    { name: 'State', cell: (row) => <DisputePill dispute={row} /> },
    { name: 'Reason', cell: reasonText },
    ...(isOperator ? [{ name: 'Assigned to', cell: assigneeText }] : []),
    { name: 'Match', cell: (row) => row.match_state },
    { name: 'Processor', cell: (row) => pspTitle(row.psp) },
    { name: 'Opened', cell: (row) => <Time at={row.opened_at} /> },
    ...(merchantNames === undefined ? [] : [merchant]),
  ];
}

function amount({ amount: value, currency }: DisputeSummaryJson) {
  return value === undefined || currency === undefined ? (
    <span className="muted">not known</span>
  ) : (
    <Amount value={value} currency={currency} />
  );
}

export function reasonText(row: DisputeSummaryJson): string {
  const { reason_family: family, reason_code: code, reason } = row;
  const words = (family ?? reason ?? 'not stated').replaceAll('_', ' ');
  return code === undefined ? words : `${words} (${code})`;
}
