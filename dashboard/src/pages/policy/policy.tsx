import type { UpliftJson, UpliftPartJson } from '../../api/generated/payments.ts';
import { useExperiments } from '../../api/policies.ts';
import { useUplift } from '../../api/uplift.ts';
import { Empty } from '../../parts/empty.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useAskedAt } from '../../state/asked-at.ts';
import { useNow } from '../../state/service-time.tsx';
import { rangeLabels, rangeStart, useViewState } from '../../state/view-state.ts';
import { Comparison } from './comparison.tsx';
import { Experiments } from './experiments.tsx';
import { differenceText, figureText } from './figure-text.ts';
import { NotTrusted } from './not-trusted.tsx';
import { PolicyHead } from './policy-head.tsx';
import { Splits } from './splits.tsx';

/** What the learned policy recovers over the holdout, in each currency, with intervals. */
export function Policy() {
  const view = useViewState();
  const since = rangeStart(view.range, useNow())?.toISOString();
  const asked = { merchant_id: view.merchantId, since };
  const { askedAt } = useAskedAt();
  const query = useUplift(asked, askedAt);
  const experiments = useExperiments(asked, askedAt);
  return (
    <>
      <PolicyHead path="/policy" title="The learned policy against the holdout">
        <span className="muted">payments that failed: {rangeLabels[view.range].toLowerCase()}</span>
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
  return (
    <>
      {notice !== undefined && (
        <Empty title={notice}>
          <p>
            Payments that a learned policy plans are compared with those that were kept on the fixed
            schedule for it. Both have to be there before anything can be said.
          </p>
        </Empty>
      )}
      {wholes.map((whole) => (
        <OneCurrency key={whole.currency} whole={whole} parts={parts} />
      ))}
    </>
  );
}

function OneCurrency({
  whole,
  parts,
}: {
  readonly whole: UpliftPartJson;
  readonly parts: readonly UpliftPartJson[];
}) {
  const { currency, arms, difference } = whole;
  return (
    <Panel title={`Payments in ${currency}`}>
      <div className="batch">
        <Figures>
          {arms.map((arm) => (
            <Figure
              key={arm.arm}
              name={armLabels[arm.arm] ?? arm.arm}
              value={formatAmount(arm.recovered_amount, currency)}
              beside={`recovered of ${formatAmount(arm.failed_amount, currency)}; ${figureText(arm.figures.recovered_rate, 'share')} of n = ${arm.payments}, ${arm.open} still open`}
            />
          ))}
          {difference !== undefined && (
            <Figure
              name="Learned less holdout"
              value={differenceText(difference.recovered_rate, 'share')}
              beside="in the recovery rate, with 95 % confidence"
            />
          )}
        </Figures>
        <Comparison whole={whole} />
        <Splits parts={parts.filter((part) => part.currency === currency)} />
      </div>
    </Panel>
  );
}

const armLabels: Readonly<Record<string, string>> = {
  learned: 'Learned policy',
  holdout: 'Holdout, fixed schedule',
  fallback: 'Planned while the model was not trusted',
  none: 'From before the first model',
};
