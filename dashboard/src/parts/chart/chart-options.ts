import UPlot from 'uplot';
import { formatCount } from '../count.ts';
import { axisTimes } from './axis-times.ts';
import { type ChartInput, notesByStep, type Series } from './chart-input.ts';

/** How the library is to draw a picture of this size, in the colours that the page has now. */
export function chartOptions(
  input: ChartInput & { readonly width: number; readonly height: number },
): UPlot.Options {
  const { width, height, series, form, format, axis: kind = 'time' } = input;
  const grid = { stroke: colourOf('var(--line)'), width: 1 };
  const axis = { stroke: colourOf('var(--ink-soft)'), grid, ticks: grid, font: axisFont() };
  const isBars = form === 'bars';
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    // The last label stands about its step, which is the right edge.
    padding: [14, 24, 0, 0],
    scales: {
      x: { time: kind === 'time', range: (plot) => spanOf(plot.data[0], isBars) },
      y: { range: (_plot, _min, max) => [0, max === 0 ? 1 : max * 1.05] },
    },
    axes: [
      { ...axis, grid: { show: false }, ...(kind === 'days' ? daysAxis : timesAxis) },
      { ...axis, ...figuresAxis, values: (_plot, ticks) => ticks.map(format) },
    ],
    series: [{}, ...drawn(series).map((each) => (isBars ? barOf(each) : lineOf(each)))],
    hooks: { draw: [(plot) => drawNotes(plot, input)] },
  };
}

/** Times in seconds, then the series as they are drawn. */
export function chartData({ times, series, form }: ChartInput): UPlot.AlignedData {
  const sums = times.map(() => 0);
  const rows = new Map(
    series.map((each) => [
      each,
      times.map((_, step) => {
        if (form === 'lines' || each.isOver) return each.values[step] ?? null;
        sums[step] = (sums[step] ?? 0) + (each.values[step] ?? 0);
        return sums[step] ?? 0;
      }),
    ]),
  );
  const seconds = times.map((at) => at.getTime() / 1_000);
  return [seconds, ...drawn(series).map((each) => rows.get(each) ?? [])] as UPlot.AlignedData;
}

/** The uppermost first: each bar covers the foot of the one before; then the lines over them. */
function drawn(series: readonly Series[]): readonly Series[] {
  const over = series.filter(({ isOver }) => isOver);
  return [...series.filter(({ isOver }) => !isOver).toReversed(), ...over];
}

const figuresAxis: UPlot.Axis = {
  size: 64,
  // In pixels at least: a high picture has hardly more lines across, but wider apart.
  space: (_plot, _axis, _min, _max, heightPx) => (heightPx > 240 ? 48 : 30),
};

const dayS = 86_400;
const timesAxis: UPlot.Axis = {
  space: 64,
  values: (_plot, ticks, _axis, _space, apartS) => [...axisTimes(ticks, apartS)],
};
const daysAxis: UPlot.Axis = {
  incrs: [1, 2, 5, 7, 10, 14].map((days) => days * dayS),
  values: (_plot, ticks) => ticks.map((tick) => formatCount(tick / dayS)),
};

function lineOf({ name, colour, dash }: Series): UPlot.Series {
  return {
    label: name,
    stroke: colourOf(colour),
    width: 2,
    points: { size: 5 },
    ...(dash !== undefined && { dash: [...dash] }),
  };
}

function barOf(series: Series): UPlot.Series {
  const { name, colour, isOver } = series;
  if (isOver) {
    const steps = UPlot.paths.stepped?.({ align: 1 });
    return { ...lineOf(series), points: { show: false }, ...(steps && { paths: steps }) };
  }
  const fill = colourOf(colour);
  const paths = UPlot.paths.bars?.({ size: [0.82, 64], align: 1 });
  return { label: name, fill, width: 0, points: { show: false }, ...(paths && { paths }) };
}

/** A dashed line where something happened, with the number that the list below has for it. */
function drawNotes(plot: UPlot, input: ChartInput): void {
  const { ctx, bbox } = plot;
  const ratio = window.devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colourOf('var(--ink-soft)');
  ctx.fillStyle = colourOf('var(--ink)');
  ctx.font = `600 ${11 * ratio}px ${family()}`;
  ctx.textAlign = 'center';
  ctx.lineWidth = ratio;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  [...notesByStep(input).values()].forEach(([note], index) => {
    if (note === undefined) return;
    const x = plot.valToPos(note.at.getTime() / 1_000, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText((index + 1).toString(), x, bbox.top - 3 * ratio);
  });
  ctx.restore();
}

/**
 * In seconds. A bar stands behind its beginning; the library spreads an only point over years, and it
 * stands amid a week here.
 */
function spanOf(times: UPlot.AlignedData[0], isBars: boolean): UPlot.Range.MinMax {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  if (first === last) return [first - 3 * 86_400, last + 3 * 86_400];
  return [first, isBars ? last + (last - (times.at(-2) ?? first)) : last];
}

function family(): string {
  return getComputedStyle(document.body).fontFamily;
}

function axisFont(): string {
  return `12px ${family()}`;
}

/** A colour as the page shows it now: a canvas knows no variables. */
function colourOf(colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  // Of a system's own colours all series would have the same one.
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
