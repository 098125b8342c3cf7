import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { usePayments } from '../../api/payments.ts';
import { useMoveClock, useSubmitPayments } from '../../api/sandbox.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { Panel } from '../../parts/panel.tsx';
import { usePagePaths } from '../../state/page-paths.ts';
import { paymentPath } from '../../state/payment-path.ts';
import { useViewState } from '../../state/view-state.ts';

const failing = { count: 20, seed: 1 };

/** From an empty sandbox to a first recovered payment, in three steps. */
export function FirstRecovery() {
  const view = useViewState();
  const paths = usePagePaths();
  const any = usePayments({ limit: 1 }).data?.items[0];
  const recovered = usePayments({ status: 'recovered', limit: 1 }).data?.items[0];
  const report = useSubmitPayments();
  const move = useMoveClock();
  const isReported = any !== undefined || report.isSuccess;
  const hasMoved = move.isSuccess || recovered !== undefined;
  return (
    <>
      <div className="page-head">
        <h1>A first recovery</h1>
      </div>
      <p>
        Nothing here is real: the sandbox has its own processor, its own payers and its own time.
        Recoup treats them exactly as it treats real ones.
      </p>
      <Step number={1} title="Payments fail" isDone={isReported}>
        <p>
          A merchant reports each charge that failed. This reports 20 simulated failures for the
          demo merchant: cards without funds, expired cards, banks that decline.
        </p>
        <ActButton
          className={isReported ? 'button' : 'button primary'}
          isBusy={report.isPending}
          onClick={() => report.mutate(failing)}
        >
          {report.isPending ? 'Reporting…' : 'Report 20 failed payments'}
        </ActButton>
        <FormError error={report.error} />
      </Step>
      <Step number={2} title="Time passes" isDone={hasMoved}>
        <p>
          Recoup plans the retries over four weeks, asks the merchant before each, and charges once.
          Move time forward, and everything that falls due on the way is done.
        </p>
        <ActButton
          className={isReported && !hasMoved ? 'button primary' : 'button'}
          isBusy={move.isPending}
          isReady={isReported}
          onClick={() => move.mutate({ advance: 'P4D' })}
        >
          {move.isPending ? 'Moving time…' : 'Move time by 4 days'}
        </ActButton>
        <FormError error={move.error} />
      </Step>
      <Step number={3} title="One is recovered" isDone={recovered !== undefined}>
        {recovered === undefined ? (
          <p className="muted">
            {move.isSuccess ? 'None is recovered yet: move time again.' : 'After the steps above.'}
          </p>
        ) : (
          <>
            <p>
              {formatAmount(recovered.amount, recovered.currency)} was recovered. Its page shows
              which tries were made, why at those times, what the bank answered, and which webhook
              the merchant got.
            </p>
            <p>
              <Link className="button primary" href={view.href(paymentPath(recovered))}>
                See how it was recovered
              </Link>
            </p>
          </>
        )}
      </Step>
      {paths.has('/merchants/new') && (
        <p className="muted">
          Then <Link href={view.href('/merchants/new')}>add a merchant of your own</Link>, with its
          addresses and its processor’s test keys.
        </p>
      )}
    </>
  );
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Panel
      title={`${number}. ${title}`}
      aside={isDone && <span className="gauge-clear gauge-word">✓ Done</span>}
    >
      <div className="step">{children}</div>
    </Panel>
  );
}
