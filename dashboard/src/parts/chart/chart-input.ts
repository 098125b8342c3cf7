/** One line of the picture, or one part of its bars. `colour` is as a style says it. */
export interface Series {
  readonly name: string;
  /** One for each step; a line ends where its values do, and is broken where one is undefined. */
  readonly values: readonly (number | undefined)[];
  readonly colour: string;
  /** Lines that are told apart by more than their colour: lengths drawn and left out. */
  readonly dash?: readonly number[];
  /** A line over bars, which stands beside their stack instead of in it. */
  readonly isOver?: boolean;
}

/** What happened at a moment that the picture holds, such as a policy that was switched on. */
export interface Note {
  readonly at: Date;
  readonly text: string;
}

/** What a picture over time shows. */
export interface ChartInput {
  /** Beginnings of the steps, rising. */
  readonly times: readonly Date[];
  /** `days`: days since something, as days since 1970 began. */
  readonly axis?: 'time' | 'days';
  readonly series: readonly Series[];
  /** Bars stand on each other in the order of the series. */
  readonly form: 'lines' | 'bars';
  readonly format: (value: number) => string;
  readonly notes: readonly Note[];
}

/** The step in which each note falls; those before the first and after the last step are left out. */
export function notesByStep({
  times,
  notes,
}: Pick<ChartInput, 'times' | 'notes'>): ReadonlyMap<number, readonly Note[]> {
  const found = new Map<number, readonly Note[]>();
  const first = times[0];
  const last = times.at(-1);
  const before = times.at(-2) ?? first;
  if (first === undefined || last === undefined || before === undefined) return found;
  const end = last.getTime() + (last.getTime() - before.getTime());
  for (const note of notes) {
    if (note.at < first || note.at.getTime() >= Math.max(end, last.getTime() + 1)) continue;
    const step = times.findLastIndex((at) => at <= note.at);
    found.set(step, [...(found.get(step) ?? []), note]);
  }
  return found;
}
