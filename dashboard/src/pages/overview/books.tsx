import { Link } from 'wouter';
import type { ListInvariantsAnswer } from '../../api/generated/service.ts';
import { useInvariants } from '../../api/overview.ts';
import { count } from '../../parts/count.ts';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StatementsPanel } from '../../parts/statements-panel.tsx';
import { Time } from '../../parts/time.tsx';
import { usePagePaths } from '../../state/page-paths.ts';
import { usePortal } from '../../state/portal.ts';
import { useSeesAll } from '../../state/sees-all.ts';
import { useViewState } from '../../state/view-state.ts';

/**
 * A light: whether the books agree and every promise holds, as of when; for operators of all merchants, whom it
 * is about. At a portal, the merchant's own months.
 */
export function Books() {
  const portal = usePortal();
  const seesAll = useSeesAll();
  if (portal !== undefined) return <StatementsPanel merchantId={portal.merchant.id} />;
  return seesAll ? <Checks /> : null;
}

function Checks() {
  const view = useViewState();
  const hasDetails = usePagePaths().has('/invariants');
  return (
    <Panel
      title="Ledger checks"
      aside={hasDetails && <Link href={view.href('/invariants')}>All checks</Link>}
    >
      <QueryView query={useInvariants()} what="the invariants" rows={2}>
        {(report) => <Light report={report} />}
      </QueryView>
    </Panel>
  );
}

function Light({ report }: { readonly report: ListInvariantsAnswer }) {
  const broken = report.items.filter(({ breaches }) => breaches > 0);
  return (
    <div className={report.holds ? 'light light-holds' : 'light light-broken'}>
      <strong>
        <span aria-hidden="true">{report.holds ? '✓ ' : '✕ '}</span>
        {report.holds
          ? `${count(report.items.length, 'check passes', 'checks pass')}`
          : `${broken.length} of ${count(report.items.length, 'check fails', 'checks fail')}`}
      </strong>
      {broken.map(({ name, promise, breaches }) => (
        <p key={name}>
          {promise} {count(breaches, 'breach', 'breaches')}
        </p>
      ))}
      <p className="muted small">
        {report.counted_through === undefined ? (
          'The sums are being counted; '
        ) : (
          <>
            Sums of charges, payments and events: <Time at={report.counted_through} />;{' '}
          </>
        )}
        {report.last_check?.ended_at === undefined ? (
          'what is stored was not checked in full yet.'
        ) : (
          <>
            all that is stored: <Time at={report.last_check.ended_at} />.
          </>
        )}
      </p>
    </div>
  );
}
