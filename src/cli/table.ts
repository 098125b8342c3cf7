import { printable } from '../domain/truncated-text.ts';
/** One column of a table: its head, and the text of each row. */
export interface Column<Row> {
  readonly head: string;
  text(row: Row): string | undefined;
  readonly align?: 'right';
}

/** Rows in aligned columns under their heads, or `none` where there is no row. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): string {
  if (rows.length === 0) return none;
  const lines = [
    columns.map((column) => column.head),
    ...rows.map((row) => columns.map((column) => printable(column.text(row) ?? '-'))),
  ];
  const widths = columns.map((_, index) => widest(lines.map((line) => line[index] ?? '')));
  return lines
    .map((line) =>
      line
        .map((text, index) => padded(text, widths[index] ?? 0, columns[index]?.align))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values of one thing, a line each; what has no value is left out. */
export function details(pairs: readonly (readonly [string, string | undefined])[]): string {
  const given = pairs.filter(([, value]) => value !== undefined);
  const width = widest(given.map(([name]) => name));
  return given
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(value ?? '')}`)
    .join('\n');
}

/** An API's timestamp to the second: `2026-03-01 09:30:00Z`. */
export function time(text: string | undefined): string | undefined {
  return text?.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

/** A line that says how to read on, for a list that has more. */
export function more(nextCursor: string | undefined): string {
  return nextCursor === undefined ? '' : `\n\nThere is more: --cursor ${nextCursor}`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((max, text) => Math.max(max, text.length), 0);
}

function padded(text: string, width: number, align: 'right' | undefined): string {
  return align === 'right' ? text.padStart(width) : text.padEnd(width);
}
