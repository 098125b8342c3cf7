import type {
  UpliftFormerJson,
  UpliftJson,
  UpliftPartJson,
  UpliftVerdictJson,
} from '../../api/generated/overview.ts';
import { useExperiments } from '../../api/policies.ts';
import { useUplift } from '../../api/uplift.ts';
import { armLabels } from '../../parts/arm-labels.ts';
import { count, formatCount } from '../../parts/count.ts';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { differenceText, figureText } from '../../parts/figure-text.ts';
import { formatAmount } from '../../parts/format-amount.ts';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Time } from '../../parts/time.tsx';
import { amountInterval, rateText, verdictAmount, verdictText } from '../../parts/verdict-text.ts';
import { useAskedAt, useAskedSpan } from '../../state/asked-at.ts';
import { rangeLabel } from '../../state/range.ts';
import { useViewState } from '../../state/view-state.ts';
import { Comparison } from './comparison.tsx';
import { Experiments } from './experiments.tsx';
import { NotTrusted } from './not-trusted.tsx';
import { PolicyHead } from './policy-head.tsx';
import { Splits } from './splits.tsx';

/** What the learned policy recovers over the holdout, in each currency, with intervals. */
export function Policy() {
  const view = useViewState();
  const { from: since, until } = useAskedSpan(view.range).span;
  const asked = { merchant_id: view.merchantId, since };
  const { askedAt } = useAskedAt();
  const query = useUplift({ ...asked, until }, askedAt);
  const experiments = useExperiments(asked, askedAt);
  return (
    <>
      <PolicyHead
        path="/policy"
        title="The learned policy against the holdout"
        actions={<ExportButton list="/api/experiments" filters={asked} of="experiments" />}
      >
        <span className="muted">payments that failed: {rangeLabel(view.range)}</span>
      </PolicyHead>
      {experiments.data?.experiments.map(
        ({ merchant_id: id, merchant_name: name, fallback }) =>
          fallback !== undefined && (
            <NotTrusted key={id} whose={name} reason={fallback.reason} since={fallback.since} />
          ),
      )}
      <QueryView query={query} what="the comparison" rows={8}>
        {(report) => <Report report={report} />}
      </QueryView>
      <QueryView query={experiments} what="the experiments" rows={4}>
        {({ experiments: all }) => <Experiments experiments={all} />}
      </QueryView>
    </>
  );
}

function Report({ report }: { readonly report: UpliftJson }) {
  const { notice, parts } = report;
  const wholes = parts.filter(({ dimension }) => dimension === 'all');
  // A currency without a comparison shows nothing that another page does not.
  const compared = wholes
    .filter(({ verdict }) => verdict !== undefined)
    .toSorted((a, b) => paymentsOf(b) - paymentsOf(a));
  return (
    <>
      {compared.length === 0 && (
        <Empty title={notice ?? 'No merchant has payments of both arms in one week yet.'}>
          <p>
            Payments that a learned policy plans are compared with the holdout: payments of the same
            merchants and weeks that were kept on the simple schedule. Both are needed before
            anything can be said.
          </p>
        </Empty>
      )}
      {compared.map((whole) => (
        <OneCurrency key={whole.currency} whole={whole} parts={parts} />
      ))}
      {report.as_of !== undefined && (
        <p className="muted small">
          Counted <Time at={report.as_of} />.
        </p>
      )}
    </>
  );
}

/** The currency that most is paid in comes first. */
function paymentsOf({ arms }: UpliftPartJson): number {
  return arms.reduce((sum, { payments }) => sum + payments, 0);
}

function OneCurrency({
  whole,
  parts,
}: {
  readonly whole: UpliftPartJson;
  readonly parts: readonly UpliftPartJson[];
}) {
  const { currency, arms, verdict, former } = whole;
  return (
    <Panel title={`Payments in ${currency}`}>
      <div className="batch">
        {verdict !== undefined && <Answer verdict={verdict} whole={whole} />}
        <Figures>
          {arms.map((arm) => (
            <Figure
              key={arm.arm}
              name={armLabels[arm.arm] ?? arm.arm}
              value={formatAmount(arm.recovered_amount, currency)}
              beside={`recovered of ${formatAmount(arm.failed_amount, currency)}; ${figureText(arm.figures.recovered_rate, 'share')} of n = ${formatCount(arm.payments)}, ${formatCount(arm.open)} still open`}
            />
          ))}
        </Figures>
        <Comparison whole={whole} />
        {former !== undefined && <Before former={former} currency={currency} />}
        <Splits parts={parts.filter((part) => part.currency === currency)} />
      </div>
    </Panel>
  );
}

/** Beside the schedule that the merchants had before. */
function Before({
  former: { payments, difference },
  currency,
}: {
  readonly former: UpliftFormerJson;
  readonly currency: string;
}) {
  return (
    <section aria-label={`Beside the schedule of before, ${currency}`}>
      <p>
        Beside {count(payments, 'payment', 'payments')} of the same merchants from before the first
        model, on the schedule of then: recovered{' '}
        {differenceText(difference.recovered_rate, 'share')}, of the amount{' '}
        {differenceText(difference.recovered_amount_rate, 'share')}.
      </p>
      <p className="muted">
        This compares before and after, without a random split: it includes whatever else changed in
        between, and open payments may still be recovered. The holdout is the proof.
      </p>
    </section>
  );
}

/** What may be said, before anything else. */
function Answer({
  verdict,
  whole: { currency, arms },
}: {
  readonly verdict: UpliftVerdictJson;
  readonly whole: UpliftPartJson;
}) {
  const open = arms
    .filter(({ arm }) => arm === 'learned' || arm === 'holdout')
    .reduce((sum, each) => sum + each.open, 0);
  const learned = count(verdict.learned_payments, 'learned payment', 'learned payments');
  const interval = amountInterval(verdict, currency);
  return (
    <section className={`answer answer-${verdict.result}`} aria-label={`Verdict, ${currency}`}>
      <p className="answer-verdict">{verdictText(verdict)}</p>
      <p>
        <strong className="answer-amount">{verdictAmount(verdict, currency)}</strong>
        {interval !== undefined && ` ${interval}`}
      </p>
      <p className="muted">
        Recovered beyond what the holdout’s rate would have brought. In the recovery rate:{' '}
        {rateText(verdict)}. {learned} beside {formatCount(verdict.holdout_payments)} held out of
        the same merchants and weeks.
        {open > 0 &&
          ` ${formatCount(open)} of them all are still open: until their windows end, a policy that tries sooner is ahead.`}
      </p>
    </section>
  );
}
