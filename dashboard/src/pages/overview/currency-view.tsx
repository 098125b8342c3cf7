import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CurrencyOverviewJson } from '../../api/generated/overview.ts';
import type { UpliftVerdictJson } from '../../api/generated/payments.ts';
import { count, formatDecimal } from '../../parts/count.ts';
import { Figure, Figures } from '../../parts/figure.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { percent } from '../../parts/percent.ts';
import { amountInterval, verdictAmount, verdictText } from '../../parts/verdict-text.ts';
import { useViewState } from '../../state/view-state.ts';
import { Funnel } from './funnel.tsx';
import { RecoveredChart } from './recovered-chart.tsx';

/** The figures of one currency: money first, each beside what it is compared with. */
export function CurrencyView({
  of,
  step,
  below,
  aside,
}: {
  readonly of: CurrencyOverviewJson;
  readonly step: 'hour' | 'day';
  /** What stands below the money, and beside it. */
  readonly below: ReactNode;
  readonly aside: ReactNode;
}) {
  return (
    <>
      <MoneyFigures of={of} />
      <div className="two-columns">
        <div className="column">
          <RecoveredChart of={of} step={step} />
          {below}
        </div>
        {aside}
      </div>
      <Funnel of={of} />
    </>
  );
}

function MoneyFigures({ of }: { readonly of: CurrencyOverviewJson }) {
  const { currency, cohort, verdict } = of;
  const money = (value: number): string => formatAmount(value, currency);
  return (
    <Figures>
      <Figure
        name="Recovered"
        value={money(of.recovered.amount)}
        beside={besideBefore(of, money)}
      />
      {verdict !== undefined && <VerdictFigure verdict={verdict} currency={currency} />}
      <Figure
        name="At risk now"
        value={money(of.at_risk.amount)}
        beside={count(of.at_risk.payments, 'payment', 'payments')}
      />
      <Figure
        name="Recovery rate"
        value={percent(cohort.recovered.payments, cohort.payments)}
        beside={`of ${count(cohort.payments, 'payment', 'payments')}; ${percent(cohort.open.payments, cohort.payments)} still open`}
      />
      <Figure
        name="Attempts per recovery"
        value={attemptsText(cohort)}
        beside={count(cohort.attempts, 'attempt', 'attempts')}
      />
    </Figures>
  );
}

/** The money that the learned policy brought, as the Policy page has it. */
function VerdictFigure({
  verdict,
  currency,
}: {
  readonly verdict: UpliftVerdictJson;
  readonly currency: string;
}) {
  const view = useViewState();
  const interval = amountInterval(verdict, currency);
  return (
    <Figure
      name="Learned policy against the holdout"
      value={verdictAmount(verdict, currency)}
      beside={
        <>
          {interval !== undefined && <>{interval}. </>}
          {/* `more` and `less` are what the sign and the interval say. */}
          {verdict.result !== 'more' && verdict.result !== 'less' && <>{verdictText(verdict)}. </>}
          <Link href={view.href('/policy')}>What is compared</Link>
        </>
      }
    />
  );
}

function besideBefore(of: CurrencyOverviewJson, money: (value: number) => string): string {
  const of_payments = count(of.recovered.payments, 'payment', 'payments');
  if (of.recovered_before === undefined) return of_payments;
  const change = of.recovered.amount - of.recovered_before.amount;
  return `${of_payments}; ${signed(change, money)} against the time before`;
}

function attemptsText({ attempts, recovered }: CurrencyOverviewJson['cohort']): string {
  return recovered.payments === 0 ? 'none yet' : formatDecimal(attempts / recovered.payments, 1);
}

function signed(value: number, format: (value: number) => string): string {
  return value < 0 ? `−${format(-value)}` : `+${format(value)}`;
}
