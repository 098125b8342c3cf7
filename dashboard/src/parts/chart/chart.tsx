import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { themeChanged } from '../../state/theme.ts';
import { formatCount } from '../count.ts';
import { type ChartInput, type Note, notesByStep } from './chart-input.ts';
import { chartData, chartOptions } from './chart-options.ts';

/**
 * Figures over time with their axes, and what happened when. Pointing at a step, or the arrow keys,
 * read it out. `label` says what the whole shows.
 */
export function Chart({
  label,
  timeText,
  valueText,
  ...input
}: ChartInput & {
  readonly label: string;
  readonly timeText: (at: Date) => string;
  /** A figure in full, where `format` is short for the axis. */
  readonly valueText?: (value: number) => string;
}) {
  const { times, series, form, format, notes, axis = 'time' } = input;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const [step, setStep] = useState<number>();
  // What is read out stands beside the picture, and moves where that is drawn anew.
  const [, setDrawn] = useState(0);
  useEffect(
    () =>
      keepDrawn(frame.current, plot, { times, series, form, format, notes, axis }, () =>
        setDrawn((drawn) => drawn + 1),
      ),
    [times, series, form, format, notes, axis],
  );
  const noted = useMemo(() => notesByStep({ times, notes }), [times, notes]);
  const at = step === undefined ? undefined : times[step];
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const drawn = plot.current;
    if (drawn === undefined) return;
    const x = event.clientX - drawn.over.getBoundingClientRect().left;
    setStep(form === 'bars' ? stepAt(times, drawn.posToVal(x, 'x')) : drawn.posToIdx(x));
  };
  const press = (event: KeyboardEvent): void => {
    const next = nextStep(event.key, step ?? times.length - 1, times.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    setStep(next);
  };
  const read = (which: number): string =>
    readOut(
      { times, series, format: valueText ?? format, notes: noted.get(which) ?? [], timeText },
      which,
    );
  const shown = step ?? times.length - 1;
  return (
    <>
      <div className="chart">
        <div ref={frame} className="chart-drawn" role="img" aria-label={label} />
        <div
          className="chart-steps"
          role="slider"
          tabIndex={0}
          aria-label={`${label}, step by step`}
          aria-valuemin={1}
          aria-valuemax={Math.max(times.length, 1)}
          aria-valuenow={shown + 1}
          aria-valuetext={times.length === 0 ? '' : read(shown)}
          onPointerMove={point}
          onPointerLeave={() => setStep(undefined)}
          onFocus={() => setStep(step ?? times.length - 1)}
          onBlur={() => setStep(undefined)}
          onKeyDown={press}
        />
        {step !== undefined && at !== undefined && (
          <Readout
            left={leftOf(plot.current, times, step, form)}
            isBeyond={step > times.length / 2}
            lines={read(step).split('\n')}
          />
        )}
      </div>
      {noted.size > 0 && <Notes noted={[...noted.values()]} timeText={timeText} />}
    </>
  );
}

/** Draws anew where the size, the colours or the figures change. */
function keepDrawn(
  element: HTMLDivElement | null,
  kept: { current: UPlot | undefined },
  input: ChartInput,
  drawnAnew: () => void,
): () => void {
  if (element === null) return () => {};
  const draw = (): void => {
    kept.current?.destroy();
    const width = Math.max(element.clientWidth, 240);
    const height = Math.max(element.clientHeight, 160);
    kept.current = new UPlot(chartOptions({ ...input, width, height }), chartData(input), element);
  };
  draw();
  const schemes = window.matchMedia('(prefers-color-scheme: dark)');
  const sizes = new ResizeObserver(() => {
    const { width, height } = kept.current ?? { width: 0, height: 0 };
    if (width === element.clientWidth && height === element.clientHeight) return;
    draw();
    drawnAnew();
  });
  sizes.observe(element);
  schemes.addEventListener('change', draw);
  window.addEventListener(themeChanged, draw);
  return () => {
    sizes.disconnect();
    schemes.removeEventListener('change', draw);
    window.removeEventListener(themeChanged, draw);
    kept.current?.destroy();
    kept.current = undefined;
  };
}

function stepAt(times: readonly Date[], seconds: number): number {
  return Math.max(
    0,
    times.findLastIndex((at) => at.getTime() <= seconds * 1_000),
  );
}

/** Where a key leads; undefined where it leads nowhere. */
function nextStep(key: string, from: number, last: number): number | undefined {
  const wanted: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    Home: 0,
    End: last,
  };
  const to = wanted[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), last);
}

/** Where a step stands, in pixels from the left of the picture; a bar at its middle. */
function leftOf(
  plot: UPlot | undefined,
  times: readonly Date[],
  step: number,
  form: ChartInput['form'],
): number {
  const [at, next] = [times[step], times[step + 1] ?? times[step]];
  if (plot === undefined || at === undefined || next === undefined) return 0;
  const middle = form === 'bars' ? (at.getTime() + next.getTime()) / 2 : at.getTime();
  return plot.over.offsetLeft + plot.valToPos(middle / 1_000, 'x');
}

function readOut(
  input: Pick<ChartInput, 'times' | 'series' | 'format' | 'notes'> & {
    readonly timeText: (at: Date) => string;
  },
  step: number,
): string {
  const { times, series, format, notes, timeText } = input;
  const at = times[step];
  const figures = series
    .filter(({ values }, index) => isRead(values[step], index))
    .map(({ name, values }) => `${name}: ${format(values[step] ?? 0)}`);
  return [at === undefined ? '' : timeText(at), ...figures, ...notes.map(({ text }) => text)].join(
    '\n',
  );
}

/** Parts of a bar that are nothing say nothing, but for the first. */
function isRead(value: number | undefined, index: number): boolean {
  return value !== undefined && (value !== 0 || index === 0);
}

function Readout({
  left,
  isBeyond,
  lines,
}: {
  readonly left: number;
  readonly isBeyond: boolean;
  readonly lines: readonly string[];
}) {
  return (
    <>
      <span className="chart-at" style={{ left }} />
      <div
        className={`tip chart-tip${isBeyond ? ' chart-tip-before' : ''}`}
        style={{ left }}
        aria-hidden="true"
      >
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <p key={index}>{line}</p>
        ))}
      </div>
    </>
  );
}

function Notes({
  noted,
  timeText,
}: {
  readonly noted: readonly (readonly Note[])[];
  readonly timeText: (at: Date) => string;
}) {
  return (
    <ol className="chart-notes small" aria-label="What happened when">
      {noted.map((notes, index) => (
        <li key={notes[0]?.at.getTime()}>
          <span className="chart-number">{formatCount(index + 1)}</span>{' '}
          {notes[0] !== undefined && timeText(notes[0].at)}:{' '}
          {notes.map(({ text }) => text).join('; ')}
        </li>
      ))}
    </ol>
  );
}
