import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and counts stand right-aligned. */
  readonly align?: 'right';
}

/**
 * A table with a head that stays; it scrolls in itself where it is too wide. On a phone each row is a card
 * with all of its columns, each under its name.
 */
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
    <section className="table-frame cards" tabIndex={0}>
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
                <td key={column.name} className={cellClass(column)} data-name={column.name}>
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

function cellClass<Row>({ align }: Column<Row>): string {
  return align ?? '';
}
