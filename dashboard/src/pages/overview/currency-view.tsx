import type { ReactNode } from 'react';
import type { CurrencyOverviewJson } from '../../api/generated/overview.ts';
import { count } from '../../parts/count.ts';
import { Figure, Figures } from '../../parts/figure.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { percent } from '../../parts/percent.ts';
import { Funnel } from './funnel.tsx';
import { RecoveredChart } from './recovered-chart.tsx';
import { type Uplift, upliftOf } from './uplift.ts';

/** The figures of one currency: money first, each beside what it is compared with. */
export function CurrencyView({
  of,
  step,
  aside,
}: {
  readonly of: CurrencyOverviewJson;
  readonly step: 'hour' | 'day';
  readonly aside: ReactNode;
}) {
  const { experiment } = of;
  const uplift =
    experiment === undefined ? undefined : upliftOf(experiment.treated, experiment.holdout);
  return (
    <>
      <MoneyFigures of={of} uplift={uplift} />
      <div className="two-columns">
        <RecoveredChart of={of} step={step} />
        {aside}
      </div>
      <Funnel of={of} />
    </>
  );
}

function MoneyFigures({
  of,
  uplift,
}: {
  readonly of: CurrencyOverviewJson;
  readonly uplift: Uplift | undefined;
}) {
  const { currency, cohort, experiment } = of;
  const money = (value: number): string => formatAmount(value, currency);
  const perRecovery = attemptsPerRecovery(cohort);
  const ofHoldout = experiment && attemptsPerRecovery(experiment.holdout);
  return (
    <Figures>
      <Figure
        name="Recovered"
        value={money(of.recovered.amount)}
        beside={
          uplift !== undefined
            ? `${signed(uplift.amount, money)} against the holdout`
            : besideBefore(of, money)
        }
      />
      <Figure
        name="At risk now"
        value={money(of.at_risk.amount)}
        beside={count(of.at_risk.payments, 'payment', 'payments')}
      />
      <Figure
        name="Recovery rate"
        value={percent(cohort.recovered.payments, cohort.payments)}
        beside={
          uplift !== undefined
            ? `${points(uplift.points)} against the holdout [${points(uplift.low)}, ${points(uplift.high)}]`
            : `of ${count(cohort.payments, 'payment', 'payments')}; ${percent(cohort.open.payments, cohort.payments)} still open`
        }
      />
      <Figure
        name="Attempts for each recovery"
        value={perRecovery === undefined ? 'none yet' : perRecovery.toFixed(1)}
        beside={
          ofHoldout === undefined || perRecovery === undefined
            ? count(cohort.attempts, 'attempt', 'attempts')
            : `${signed(perRecovery - ofHoldout, (value) => value.toFixed(1))} against the holdout`
        }
      />
    </Figures>
  );
}

function besideBefore(of: CurrencyOverviewJson, money: (value: number) => string): string {
  const of_payments = count(of.recovered.payments, 'payment', 'payments');
  if (of.recovered_before === undefined) return of_payments;
  const change = of.recovered.amount - of.recovered_before.amount;
  return `${of_payments}; ${signed(change, money)} against the time before`;
}

function attemptsPerRecovery({
  attempts,
  recovered,
}: CurrencyOverviewJson['cohort']): number | undefined {
  return recovered.payments === 0 ? undefined : attempts / recovered.payments;
}

function points(share: number): string {
  return signed(share * 100, (value) => `${value.toFixed(1)} pp`);
}

function signed(value: number, format: (value: number) => string): string {
  return value < 0 ? `−${format(-value)}` : `+${format(value)}`;
}
