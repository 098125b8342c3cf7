/** One bar, with its parts in the order of `names`. */
export interface Bar {
  readonly label: string;
  readonly values: readonly number[];
}

const width = 600;
const height = 140;
const gap = 2;

/** Bars beside each other, each of stacked parts; the same numbers stand in a table below. */
export function StackedBars({
  label,
  names,
  bars,
  unit,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly bars: readonly Bar[];
  /** What is counted, as the head of the table's columns says it. */
  readonly unit: string;
}) {
  const max = Math.max(1, ...bars.map(({ values }) => sum(values)));
  const step = width / Math.max(bars.length, 1);
  const used = names.map((_, part) => bars.some(({ values }) => (values[part] ?? 0) > 0));
  return (
    <figure className="bars">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {bars.map((bar, index) => (
          <Stack key={bar.label} bar={bar} x={index * step} width={step - gap} max={max} />
        ))}
      </svg>
      <div className="bars-ends small muted" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>
          the highest bar is {max} {unit}
        </span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <ul className="legend small">
        {names.map((name, part) =>
          used[part] === true ? (
            <li key={name}>
              <span className={`swatch part-${part}`} aria-hidden="true" /> {name}
            </li>
          ) : null,
        )}
      </ul>
      <details>
        <summary>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys */}
        <section className="table-frame" tabIndex={0}>
          <table className="table" aria-label={label}>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {names.map((name, part) =>
                  used[part] === true ? (
                    <th key={name} scope="col" className="right">
                      {name}
                    </th>
                  ) : null,
                )}
              </tr>
            </thead>
            <tbody>
              {bars.map((bar) => (
                <tr key={bar.label}>
                  <th scope="row">{bar.label}</th>
                  {names.map((name, part) =>
                    used[part] === true ? (
                      <td key={name} className="right">
                        {bar.values[part] ?? 0}
                      </td>
                    ) : null,
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

function Stack({
  bar,
  x,
  width: barWidth,
  max,
}: {
  readonly bar: Bar;
  readonly x: number;
  readonly width: number;
  readonly max: number;
}) {
  let below = 0;
  return bar.values.map((value, part) => {
    const size = (value / max) * height;
    below += size;
    return value === 0 ? null : (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
        key={part}
        className={`part-${part}`}
        x={x}
        y={height - below}
        width={Math.max(1, barWidth)}
        height={size}
      />
    );
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
