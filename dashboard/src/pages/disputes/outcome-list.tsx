import { useDisputeOutcomes } from '../../api/disputes.ts';
import type { DisputeOutcomesJson, OutcomeSumsJson } from '../../api/generated/dispute-reports.ts';
import { useMerchants } from '../../api/merchants.ts';
import { count, formatCount } from '../../parts/count.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { formatShare } from '../../parts/percent.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { useAskedSpan } from '../../state/asked-at.ts';
import { rangeLabel } from '../../state/range.ts';
import { useViewState } from '../../state/view-state.ts';
import { OutcomeTable } from './outcome-table.tsx';
import { Views } from './views.tsx';
import { intervalText, isEnough } from './win-text.ts';

/** How the disputes that were opened in the time ended, and how many were won. */
export function OutcomeList() {
  const view = useViewState();
  const { from, until } = useAskedSpan(view.range).span;
  const asked = { merchant_id: view.merchantId, from, to: until };
  const query = useDisputeOutcomes(asked);
  return (
    <>
      <div className="page-head">
        <h1>How disputes ended</h1>
        <Views current="/disputes/outcomes" />
        <div className="filters">
          <ExportButton list="/api/dispute-outcomes" filters={asked} />
        </div>
      </div>
      <QueryView query={query} what="how disputes ended" rows={8}>
        {(outcomes) =>
          outcomes.items.length === 0 ? <NoDisputes /> : <Shown outcomes={outcomes} />
        }
      </QueryView>
    </>
  );
}

function NoDisputes() {
  const view = useViewState();
  return (
    <Empty title="No dispute was opened in this time">
      <p>
        {rangeLabel(view.range)}: none. Inquiries and fraud warnings are not counted; a decision
        takes weeks or months.
      </p>
      {view.range !== 'all' && (
        <button type="button" className="button" onClick={() => view.change({ range: 'all' })}>
          Show all time
        </button>
      )}
    </Empty>
  );
}

function Shown({
  outcomes: { whole, networks, reasons, least_decided: least },
}: {
  readonly outcomes: DisputeOutcomesJson;
}) {
  return (
    <>
      <Whole all={whole} least={least} />
      <Panel title="By network" aside={<Whose />}>
        <OutcomeTable
          name="How disputes ended, by network"
          rows={networks}
          hasReason={false}
          least={least}
        />
      </Panel>
      <Panel title="By network and reason" aside={<Whose />}>
        <OutcomeTable name="How disputes ended, by reason" rows={reasons} hasReason least={least} />
      </Panel>
      <p className="muted small">
        Each dispute by where it stands now: one that was won and came back is open. In brackets is
        the interval of 95%; below {formatCount(least)} decided ones no share is stated. Accepted
        and expired ones were not contested and are in no share, withdrawn ones ended before a
        chargeback or were taken back. Inquiries and fraud warnings are not counted.
      </p>
    </>
  );
}

/** Merchants are summed until one of them is chosen. */
function Whose() {
  const view = useViewState();
  const merchants = useMerchants().data ?? [];
  const isSum = view.merchantId === undefined && merchants.length > 1;
  return (
    <span className="muted small">
      opened: {rangeLabel(view.range)}
      {isSum && ', all merchants together'}
    </span>
  );
}

function Whole({ all, least }: { readonly all: OutcomeSumsJson; readonly least: number }) {
  const { disputes, open, won, lost, accepted, expired, withdrawn } = all;
  const decided = won + lost;
  return (
    <Figures>
      <Figure name="Won of decided" value={wonText(all, least)} beside={wonBeside(all, least)} />
      <Figure
        name="Decided"
        value={formatCount(decided)}
        beside={`${formatCount(won)} won, ${formatCount(lost)} lost`}
      />
      <Figure
        name="Not decided yet"
        value={formatCount(open)}
        beside={`of ${count(disputes, 'dispute', 'disputes')}`}
      />
      <Figure
        name="Not contested"
        value={formatCount(accepted + expired)}
        beside={`${formatCount(accepted)} accepted, ${formatCount(expired)} expired`}
      />
      <Figure name="Withdrawn" value={formatCount(withdrawn)} beside="without a decision" />
    </Figures>
  );
}

function wonText(of: OutcomeSumsJson, least: number): string {
  const { win_rate: rate } = of;
  if (rate === undefined) return 'none yet';
  return isEnough(of, least) ? formatShare(rate) : 'too few to say';
}

function wonBeside(of: OutcomeSumsJson, least: number): string {
  const { won, lost } = of;
  const decided = won + lost;
  if (!isEnough(of, least)) return `${formatCount(won)} of ${formatCount(decided)}`;
  return `95%: ${intervalText(of, ' to ')}, n\u00a0=\u00a0${formatCount(decided)}`;
}
