import { Chart } from '../../parts/chart/chart.tsx';
import type { Note, Series } from '../../parts/chart/chart-input.ts';
import { formatCount } from '../../parts/count.ts';
import { Panel } from '../../parts/panel.tsx';
import { StackedBars } from '../../parts/stacked-bars.tsx';

const dayMs = 86_400_000;
const first = new Date(2031, 4, 1).getTime();
const times = Array.from({ length: 14 }, (_, day) => new Date(first + day * dayMs));
const form = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const lines: readonly Series[] = [
  {
    name: 'Recovered',
    colour: 'var(--recovered)',
    values: times.map((_, day) => 40 + ((day * 17) % 30)),
  },
  {
    name: 'A line that ends',
    colour: 'var(--accent)',
    dash: [8, 4],
    values: times.slice(0, 9).map((_, day) => 20 + ((day * 11) % 20)),
  },
];
const notes: readonly Note[] = [
  { at: new Date(first + 4 * dayMs), text: 'the learned policy was switched on' },
  { at: new Date(first + 9 * dayMs), text: 'the endpoint began to fail' },
];
const bars = times.map((at, day) => ({ at, values: [day % 5, (day * 3) % 7, day % 2] }));
const names = ['Soft decline', 'Processing error', 'Hard decline'];

/** Lines with what happened when, and bars of parts. */
export function Charts() {
  return (
    <div className="halves">
      <Panel title="Lines">
        <Chart
          label="Lines"
          times={times}
          series={lines}
          form="lines"
          format={formatCount}
          notes={notes}
          timeText={(at) => form.format(at)}
        />
      </Panel>
      <Panel title="Bars">
        <StackedBars
          label="Bars"
          names={names}
          bars={bars}
          unit="attempts"
          timeText={(at) => form.format(at)}
        />
      </Panel>
    </div>
  );
}
