import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { themeChanged } from '../state/theme.ts';

/** One line of the picture. `colour` is the name of a token, such as `--recovered`. */
export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  readonly colour: string;
}

const heightPx = 220;

/** Lines over time, drawn anew where the width or the colours change. `label` says what they show. */
export function TimeChart({
  label,
  times,
  lines,
  format,
}: {
  readonly label: string;
  /** Beginnings of the steps, rising. */
  readonly times: readonly Date[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let plot: UPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      const width = Math.max(element.clientWidth, 240);
      plot = new UPlot(optionsOf({ width, lines, format }), dataOf({ times, lines }), element);
    };
    draw();
    const schemes = window.matchMedia('(prefers-color-scheme: dark)');
    const sizes = new ResizeObserver(() => {
      if (plot !== undefined && plot.width !== element.clientWidth) draw();
    });
    sizes.observe(element);
    schemes.addEventListener('change', draw);
    window.addEventListener(themeChanged, draw);
    return () => {
      sizes.disconnect();
      schemes.removeEventListener('change', draw);
      window.removeEventListener(themeChanged, draw);
      plot?.destroy();
    };
  }, [times, lines, format]);
  return <div ref={frame} className="chart" role="img" aria-label={label} />;
}

interface Drawn {
  readonly lines: readonly Line[];
}

function dataOf({ times, lines }: Drawn & { readonly times: readonly Date[] }) {
  return [
    times.map((at) => at.getTime() / 1_000),
    ...lines.map(({ values }) => [...values]),
  ] as UPlot.AlignedData;
}

function optionsOf(
  input: Drawn & { readonly width: number; readonly format: (value: number) => string },
): UPlot.Options {
  const { width, lines, format } = input;
  const ink = colourOf('--ink-soft');
  const grid = { stroke: colourOf('--line'), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: '12px system-ui' };
  return {
    width,
    height: heightPx,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (plot) => spanOf(plot.data[0]) },
      y: { range: (_plot, _min, max) => [0, max === 0 ? 1 : max * 1.05] },
    },
    axes: [axis, { ...axis, size: 80, values: (_plot, ticks) => ticks.map(format) }],
    series: [
      {},
      ...lines.map(({ name, colour }) => ({
        label: name,
        stroke: colourOf(colour),
        width: 2,
      })),
    ],
  };
}

/** In seconds. The library spreads an only point over years; it stands amid a week here. */
function spanOf(times: UPlot.AlignedData[0]): UPlot.Range.MinMax {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const asideS = first === last ? 3 * 86_400 : 0;
  return [first - asideS, last + asideS];
}

/** A token as the page shows it now: a canvas knows no variables. */
function colourOf(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
