import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and counts stand right-aligned. */
  readonly align?: 'right';
  /** Left out where the screen is narrow. */
  readonly wideOnly?: true;
}

/** A table with a head that stays; it scrolls in itself where it is too wide. */
export function DataTable<Row>({
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys
    <section className="table-frame" tabIndex={0}>
      <table className="table" aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={cellClass(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.name} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellClass<Row>({ align, wideOnly }: Column<Row>): string {
  return [align === 'right' ? 'right' : '', wideOnly === true ? 'wide-only' : ''].join(' ').trim();
}
