import { useMemo } from 'react';
import { Chart } from './chart/chart.tsx';
import type { Note } from './chart/chart-input.ts';
import { formatCount } from './count.ts';
import { ScrollFrame } from './scroll-frame.tsx';

/** One bar, with its parts in the order of `names`. */
export interface Bar {
  readonly at: Date;
  readonly values: readonly number[];
}

/** Parts are no states: tints of the accent, from the strongest; the legend's swatches have the same. */
const tints = [
  'var(--accent)',
  'color-mix(in oklab, var(--accent) 65%, var(--surface))',
  'color-mix(in oklab, var(--accent) 40%, var(--surface))',
  'color-mix(in oklab, var(--ink) 40%, var(--surface))',
  'color-mix(in oklab, var(--ink) 40%, var(--surface))',
  'color-mix(in oklab, var(--ink) 40%, var(--surface))',
];

const none: readonly Note[] = [];

/** Bars over time, each of stacked parts; the same numbers stand in a table below. */
export function StackedBars({
  label,
  names,
  bars,
  unit,
  timeText,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly bars: readonly Bar[];
  /** What is counted, as the head of the table's columns says it. */
  readonly unit: string;
  readonly timeText: (at: Date) => string;
}) {
  const { times, series } = useMemo(
    () => ({
      times: bars.map(({ at }) => at),
      series: names.map((name, part) => ({
        name,
        colour: tints[part] ?? 'var(--ink-soft)',
        values: bars.map(({ values }) => values[part] ?? 0),
      })),
    }),
    [names, bars],
  );
  const used = series.filter(({ values }) => values.some((value) => value > 0));
  return (
    <figure className="bars">
      <Chart
        label={label}
        times={times}
        series={series}
        form="bars"
        format={formatCount}
        notes={none}
        timeText={timeText}
      />
      <ul className="legend small">
        {series.map(({ name }, part) =>
          used.some((each) => each.name === name) ? (
            <li key={name}>
              <span className={`swatch part-${part}`} aria-hidden="true" /> {name}
            </li>
          ) : null,
        )}
      </ul>
      <details>
        <summary>Show as a table</summary>
        <ScrollFrame>
          <table className="table" aria-label={`${label}: ${unit}`}>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {used.map(({ name }) => (
                  <th key={name} scope="col" className="right">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((at, step) => (
                <tr key={at.getTime()}>
                  <th scope="row">{timeText(at)}</th>
                  {used.map(({ name, values }) => (
                    <td key={name} className="right">
                      {formatCount(values[step] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      </details>
    </figure>
  );
}
