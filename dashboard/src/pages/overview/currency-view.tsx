import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CurrencyOverviewJson, UpliftVerdictJson } from '../../api/generated/overview.ts';
import type { Note } from '../../parts/chart/chart-input.ts';
import { count, formatDecimal } from '../../parts/count.ts';
import { Figure, Figures } from '../../parts/figure.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { signedText } from '../../parts/number-text.ts';
import { formatShare, percent } from '../../parts/percent.ts';
import { amountInterval, besideMoney, verdictAmount } from '../../parts/verdict-text.ts';
import { usePagePaths } from '../../state/page-paths.ts';
import { useViewState } from '../../state/view-state.ts';
import type { Earlier } from './earlier.ts';
import { Funnel } from './funnel.tsx';
import { RecoveredChart } from './recovered-chart.tsx';

/** What is compared of two times. */
type Figured = Pick<CurrencyOverviewJson, 'recovered' | 'cohort'>;

const none = { payments: 0, amount: 0 };
const nothing: Figured = {
  recovered: none,
  cohort: { ...none, attempts: 0, open: none, recovered: none, stopped: none, exhausted: none },
};

/** The figures of one currency: money first, each beside what it is compared with. */
export function CurrencyView({
  of,
  notes,
  earlier,
  step,
  planned,
  aside,
  isAsideLong,
}: {
  readonly of: CurrencyOverviewJson;
  readonly notes: readonly Note[];
  readonly earlier: Earlier | undefined;
  readonly step: 'hour' | 'day';
  /** The attempts that are planned, and what stands beside the money. */
  readonly planned: ReactNode;
  readonly aside: ReactNode;
  /** Whether it is as high as two charts: beside it no panel is to be half empty. */
  readonly isAsideLong: boolean;
}) {
  return (
    <>
      <MoneyFigures of={of} earlier={earlier} />
      <div className="two-columns">
        <div className="column">
          <RecoveredChart of={of} notes={notes} earlier={earlier} step={step} />
          {isAsideLong && planned}
        </div>
        {aside}
      </div>
      {!isAsideLong && planned}
      <Funnel of={of} />
    </>
  );
}

function MoneyFigures({
  of,
  earlier,
}: {
  readonly of: CurrencyOverviewJson;
  readonly earlier: Earlier | undefined;
}) {
  const { currency, cohort, verdict } = of;
  const before = earlier && (earlier.of ?? nothing);
  const money = (value: number): string => formatAmount(value, currency);
  return (
    <Figures>
      <Figure
        name="Recovered"
        value={money(of.recovered.amount)}
        beside={
          <>
            {count(of.recovered.payments, 'payment', 'payments')}
            {before && <Before text={moneyBefore(of, before, money)} />}
          </>
        }
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
        beside={
          <>
            of {count(cohort.payments, 'payment', 'payments')}; {openText(cohort)}
            {before && <Before text={rateBefore(cohort, before.cohort)} />}
          </>
        }
      />
      <Figure
        name="Attempts per recovery"
        value={attemptsText(cohort)}
        beside={
          <>
            {count(cohort.attempts, 'attempt', 'attempts')}
            {before && <Before text={attemptsText(before.cohort)} />}
          </>
        }
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
  const hasPolicy = usePagePaths().has('/policy');
  const interval = amountInterval(verdict, currency);
  const more = besideMoney(verdict);
  return (
    <Figure
      name="Learned policy against the holdout"
      value={verdictAmount(verdict, currency)}
      beside={
        <>
          {interval !== undefined && <>{interval}. </>}
          {more !== undefined && <>{more}. </>}
          {hasPolicy && <Link href={view.href('/policy')}>What is compared</Link>}
        </>
      }
    />
  );
}

/** What a figure was in the time that is compared with. */
function Before({ text }: { readonly text: string }) {
  return <div>Before: {text}</div>;
}

function moneyBefore(
  { recovered }: CurrencyOverviewJson,
  { recovered: { amount } }: Figured,
  money: (value: number) => string,
): string {
  if (amount === 0) return money(0);
  const change = recovered.amount / amount - 1;
  return `${money(amount)}, ${signedText(change, (share) => formatShare(share, 1))}`;
}

/** The younger cohort is judged earlier: how much of each is open stands beside both. */
function rateBefore(now: Figured['cohort'], before: Figured['cohort']): string {
  if (before.payments === 0) return 'no payment';
  const [rate, earlier] = [now, before].map((each) => each.recovered.payments / each.payments);
  const points = 100 * ((rate ?? 0) - (earlier ?? 0));
  const change = signedText(points, (value) => `${formatDecimal(value, 1)}\u00a0pp`);
  const rateText = percent(before.recovered.payments, before.payments);
  return `${rateText}${now.payments === 0 ? '' : `, ${change}`}; ${openText(before)}`;
}

function openText({ open, payments }: Figured['cohort']): string {
  return `${percent(open.payments, payments)} still open`;
}

function attemptsText({ attempts, recovered }: Figured['cohort']): string {
  return recovered.payments === 0 ? 'none yet' : formatDecimal(attempts / recovered.payments, 1);
}
