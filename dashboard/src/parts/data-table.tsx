import {
  type ColumnDef,
  createSortedRowModel,
  flexRender,
  rowSortingFeature,
  sortFn_alphanumeric,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { useKeptColumns } from './kept-columns.ts';
import { NoValue } from './no-value.tsx';
import { ScrollFrame } from './scroll-frame.tsx';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and counts stand right-aligned. */
  readonly align?: 'right';
  /** What its rows are sorted by where its head is pressed; for lists that are there as a whole. */
  readonly sort?: (row: Row) => string | number;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});
type Features = typeof features;

/** From so many rows on only those that are seen are drawn. */
const virtualFrom = 60;
/** Up to so many rows show as a whole, however high each is. */
const shortUpTo = 20;
const rowHeightPx = 37;

/**
 * A table with a head that stays; it scrolls in itself where it is too wide or too long. On a phone each
 * row is a card with all of its columns, each under its name.
 */
export function DataTable<Row extends object>({
  name,
  columns,
  rows,
  rowKey,
}: {
  /** What it lists, for those who hear it. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}) {
  const frame = useRef<HTMLElement>(null);
  const defs = useMemo(() => columns.map(defOf<Row>), [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: rowKey,
    enableSortingRemoval: true,
  });
  const sorted = table.getRowModel().rows;
  const isVirtual = sorted.length >= virtualFrom;
  const { isMeasuring, widthsPx } = useKeptColumns(frame, { rows: data, columns: defs, isVirtual });
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => sorted[index]?.id ?? index,
    overscan: 8,
    enabled: isVirtual,
    // Heights kept from within a commit are drawn with it.
    useFlushSync: !isMeasuring,
  });
  useLayoutEffect(() => {
    if (!isMeasuring) return;
    const drawn = [...(frame.current?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [])];
    const heightsPx = drawn.map((row) => row.offsetHeight);
    for (const [index, heightPx] of heightsPx.entries()) virtual.resizeItem(index, heightPx);
  });
  const isPart = isVirtual && !isMeasuring;
  // Asked for while all rows are drawn as well: without, their heights are not kept.
  const seen = virtual.getVirtualItems();
  const [above, below] = isPart
    ? [seen[0]?.start ?? 0, virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)]
    : [0, 0];
  const shown = isPart ? seen.map(({ index }) => index) : sorted.map((_, index) => index);
  const alignOf = (index: number): string => columns[index]?.align ?? '';
  return (
    <ScrollFrame frame={frame} className={`cards ${lengthOf(sorted.length)}`}>
      <table
        className={`table${widthsPx.length > 0 ? ' is-kept' : ''}`}
        aria-label={name}
        {...(isVirtual ? { 'aria-rowcount': rows.length + 1 } : {})}
      >
        <colgroup>
          {widthsPx.map((width, index) => (
            <col key={columns[index]?.name} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header, index) => (
                <th
                  key={header.id}
                  scope="col"
                  className={alignOf(index)}
                  {...(header.column.getCanSort()
                    ? { 'aria-sort': sortWords[String(header.column.getIsSorted())] }
                    : {})}
                >
                  {header.column.getCanSort() ? (
                    <button
                      type="button"
                      className="sort"
                      onClick={() => header.column.toggleSorting()}
                    >
                      {header.id}
                      <span aria-hidden="true">
                        {sortMarks[String(header.column.getIsSorted())]}
                      </span>
                    </button>
                  ) : (
                    header.id
                  )}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {above > 0 && <tr className="table-gap" style={{ height: above }} />}
          {shown.map((index) => {
            const row = sorted[index];
            if (row === undefined) return null;
            return (
              <tr
                key={row.id}
                data-index={index}
                {...(isVirtual ? { ref: virtual.measureElement, 'aria-rowindex': index + 2 } : {})}
              >
                {cellsOf(row).map((cell, place) => (
                  <td key={cell.id} className={alignOf(place)} data-name={cell.column.id}>
                    {flexRender(cell.column.columnDef.cell, cell.getContext())}
                  </td>
                ))}
              </tr>
            );
          })}
          {below > 0 && <tr className="table-gap" style={{ height: below }} />}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function lengthOf(rows: number): string {
  if (rows >= virtualFrom) return 'is-long';
  return rows <= shortUpTo ? 'is-short' : '';
}

function cellsOf<Row extends object>(row: TableRow<Features, Row>) {
  return row.getAllCells();
}

function defOf<Row extends object>({ name, cell, sort }: Column<Row>): ColumnDef<Features, Row> {
  return {
    id: name,
    accessorFn: (row) => sort?.(row),
    cell: ({ row }) => orDash(cell(row.original)),
    enableSorting: sort !== undefined,
    sortFn: 'alphanumeric',
  };
}

/** What a row has nothing of, a dash for the eye and a word for the ear; on a phone it is left out. */
function orDash(content: ReactNode): ReactNode {
  const isBlank = content === undefined || content === null || content === false || content === '';
  return isBlank ? <NoValue /> : content;
}

const sortWords: Readonly<Record<string, 'none' | 'ascending' | 'descending'>> = {
  false: 'none',
  asc: 'ascending',
  desc: 'descending',
};
const sortMarks: Readonly<Record<string, string>> = {
  false: '\u00a0↕',
  asc: '\u00a0↑',
  desc: '\u00a0↓',
};
