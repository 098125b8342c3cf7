import { useMemo } from 'react';
import type { CurrencyOverviewJson } from '../../api/generated/overview.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import type { Note } from '../../parts/chart/chart-input.ts';
import { count } from '../../parts/count.ts';
import { formatAmount } from '../../parts/format-amount.ts';
import { numberText } from '../../parts/number-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { ScrollFrame } from '../../parts/scroll-frame.tsx';
import { useNow } from '../../state/service-time.tsx';
import { beside, gapMs, type Step, stepsOf } from './by-local-day.ts';
import type { Earlier } from './earlier.ts';

const dayForm = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const hourForm = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Recovered money over time. */
export function RecoveredChart({
  of,
  notes,
  earlier,
  step,
}: {
  readonly of: CurrencyOverviewJson;
  readonly notes: readonly Note[];
  readonly earlier: Earlier | undefined;
  readonly step: 'hour' | 'day';
}) {
  const nowMs = Math.floor(useNow().getTime() / 3_600_000) * 3_600_000;
  const steps = useMemo(() => stepsOf(of.series, new Date(nowMs)), [of.series, nowMs]);
  const { shiftMs, of: earlierOf } = earlier ?? {};
  const before = useMemo(
    () =>
      shiftMs === undefined
        ? undefined
        : beside(steps, { points: earlierOf?.series ?? [], shiftMs }),
    [shiftMs, earlierOf, steps],
  );
  const drawing = useMemo(() => drawingOf(of, steps, before), [of, steps, before]);
  const isHourly = steps.length > 1 && gapMs(steps) < 4_000_000;
  const zone = step === 'day' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const title = `Recovered each ${isHourly ? 'hour' : 'day'}`;
  if (steps.length === 0) {
    return (
      <Panel title="Recovered over time">
        <p className="muted">Nothing was recovered in this time yet.</p>
      </Panel>
    );
  }
  return (
    <Panel
      title={title}
      aside={
        <span className="muted small">
          n = {count(of.recovered.payments, 'payment', 'payments')}, {of.currency}, {zone}
        </span>
      }
    >
      <Chart
        label={textOf(of, steps)}
        {...drawing}
        form="bars"
        notes={notes}
        valueText={(value) => formatAmount(value, of.currency)}
        timeText={(at) => (isHourly ? hourForm : dayForm).format(at)}
      />
      <details>
        <summary>Show as a table</summary>
        <Numbers of={of} steps={steps} before={before} isHourly={isHourly} />
      </details>
    </Panel>
  );
}

function Numbers({
  of,
  steps,
  before,
  isHourly,
}: {
  readonly of: CurrencyOverviewJson;
  readonly steps: readonly Step[];
  readonly before: readonly number[] | undefined;
  readonly isHourly: boolean;
}) {
  const form = isHourly ? hourForm : dayForm;
  return (
    <ScrollFrame>
      <table className="table" aria-label="Recovered over time">
        <thead>
          <tr>
            <th scope="col">{isHourly ? 'Hour' : 'Day'}</th>
            <th scope="col" className="right">
              Payments
            </th>
            <th scope="col" className="right">
              Recovered
            </th>
            {before !== undefined && (
              <th scope="col" className="right">
                Before
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {steps.map((each, index) => (
            <tr key={each.at.getTime()}>
              <th scope="row">{form.format(each.at)}</th>
              <td className="right">{each.payments}</td>
              <td className="right">{formatAmount(each.amount, of.currency)}</td>
              {before !== undefined && (
                <td className="right">{formatAmount(before[index] ?? 0, of.currency)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function drawingOf(
  of: CurrencyOverviewJson,
  steps: readonly Step[],
  before: readonly number[] | undefined,
) {
  const recovered = {
    name: 'Recovered',
    values: steps.map(({ amount }) => amount),
    colour: 'var(--recovered)',
  };
  return {
    times: steps.map(({ at }) => at),
    series: before === undefined ? [recovered] : [recovered, earlierLine(before)],
    format: compactMoney(of.currency),
  };
}

function earlierLine(values: readonly number[]) {
  return { name: 'Before', values, colour: 'var(--ink-soft)', dash: [4, 3], isOver: true };
}

function compactMoney(currency: string): (value: number) => string {
  return numberText({ style: 'currency', currency, notation: 'compact' });
}

function textOf(of: CurrencyOverviewJson, steps: readonly Step[]): string {
  const best = steps.reduce((max, step) => (step.amount > max.amount ? step : max));
  const money = (value: number): string => formatAmount(value, of.currency);
  return `Recovered over time: ${money(of.recovered.amount)} in all, the most, ${money(best.amount)}, on ${dayForm.format(best.at)}`;
}
