import { useMemo } from 'react';
import type { CohortCurveJson } from '../../api/generated/overview.ts';
import { useCohorts } from '../../api/overview.ts';
import { armLabels } from '../../parts/arm-labels.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import type { Note, Series } from '../../parts/chart/chart-input.ts';
import { Choice } from '../../parts/choice.tsx';
import { formatCount } from '../../parts/count.ts';
import { declineClassLabels } from '../../parts/decline-classes.ts';
import { monthText } from '../../parts/format-time.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatShare } from '../../parts/percent.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { useAskedAt, useAskedSpan } from '../../state/asked-at.ts';
import { useViewState } from '../../state/view-state.ts';
import { CohortTable } from './cohort-table.tsx';

const parts = [
  { value: 'month', label: 'Month of the failure' },
  { value: 'policy', label: 'Policy' },
  { value: 'decline_class', label: 'Decline class' },
];

/** The curves that the address asks for; the page asks for them beside its maps. */
export function useShownCohorts() {
  const view = useViewState();
  const { askedAt } = useAskedAt();
  const { from, until } = useAskedSpan(view.range).span;
  const by = partOf(view);
  return useCohorts({ merchant_id: view.merchantId, from, to: until, by }, askedAt);
}

function partOf(view: ReturnType<typeof useViewState>): string {
  return view.param('cohort') ?? 'month';
}

/** How much of what failed had come back by each day since, of payments for which it is over. */
export function Cohorts() {
  const view = useViewState();
  const by = partOf(view);
  const query = useShownCohorts();
  return (
    <Panel
      title="Recovered by day since the failure"
      aside={
        <Choice
          label="By"
          value={by}
          options={parts}
          onChange={(cohort) => view.change({ cohort })}
        />
      }
    >
      <QueryView query={query} what="the curves" rows={6}>
        {({ curves }) =>
          curves.length === 0 ? (
            <p className="muted">
              Fewer than ten payments in this period failed at least a day ago.
            </p>
          ) : (
            <Curves curves={curves} />
          )
        }
      </QueryView>
    </Panel>
  );
}

const looks = [
  { colour: 'var(--accent)' },
  { colour: 'var(--recovered)', dash: [8, 4] },
  { colour: 'var(--exhausted)', dash: [2, 3] },
  { colour: 'var(--waiting)', dash: [12, 4, 2, 4] },
  { colour: 'var(--unknown)', dash: [6, 2] },
  { colour: 'var(--stopped)', dash: [3, 6] },
] as const;
const none: readonly Note[] = [];
const dayMs = 86_400_000;

function Curves({ curves }: { readonly curves: readonly CohortCurveJson[] }) {
  const shown = useMemo(() => mostOf(curves), [curves]);
  const { times, series } = useMemo(() => drawingOf(shown), [shown]);
  return (
    <>
      <Chart
        label={textOf(shown)}
        times={times}
        series={series}
        form="lines"
        axis="days"
        format={formatPercent}
        notes={none}
        timeText={dayText}
      />
      <ul className="legend small">
        {shown.map((curve, index) => (
          <li key={curve.part}>
            <svg width="24" height="8" aria-hidden="true">
              <line
                x1="0"
                x2="24"
                y1="4"
                y2="4"
                strokeWidth="2"
                stroke={looks[index]?.colour}
                strokeDasharray={lookOf(index).dash?.join(' ')}
              />
            </svg>{' '}
            {partName(curve)}, n = {formatCount(curve.payments)}
          </li>
        ))}
      </ul>
      <p className="muted small">
        Days since the failure. Each day counts only payments for which that day is over; days with
        fewer than ten such payments are not shown.
      </p>
      <CohortTable curves={shown} nameOf={partName} />
    </>
  );
}

/** More lines than these cannot be told apart. */
function mostOf(curves: readonly CohortCurveJson[]): readonly CohortCurveJson[] {
  const most = curves.toSorted((a, b) => b.payments - a.payments).slice(0, looks.length);
  return curves.filter((curve) => most.includes(curve));
}

function lookOf(index: number): { readonly colour: string; readonly dash?: readonly number[] } {
  return looks[index] ?? looks[0];
}

function drawingOf(curves: readonly CohortCurveJson[]) {
  const days = Math.max(...curves.map((curve) => curve.days.length));
  const series: readonly Series[] = curves.map((curve, index) => ({
    name: partName(curve),
    values: curve.days.map(({ recovered, payments }) => recovered / payments),
    ...lookOf(index),
  }));
  return { times: Array.from({ length: days }, (_, day) => new Date(day * dayMs)), series };
}

function partName({ part }: CohortCurveJson): string {
  if (/^\d{4}-\d\d$/.test(part)) return monthText(part);
  return armLabels[part] ?? declineClassLabels[part] ?? part;
}

function formatPercent(share: number): string {
  return formatShare(share, 0);
}

function dayText(at: Date): string {
  return `Day ${formatCount(at.getTime() / dayMs)}`;
}

function textOf(curves: readonly CohortCurveJson[]): string {
  const ends = curves.map((curve) => {
    const last = curve.days.at(-1);
    const share = last === undefined ? 0 : last.recovered / last.payments;
    return `${partName(curve)} ${formatShare(share, 1)}`;
  });
  return `Recovered by day since the failure, at the last day: ${ends.join(', ')}`;
}
