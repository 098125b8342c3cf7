import { type CellConnection, rowsOf } from './cell-connection.ts';
import type { MovedTable } from './moved-tables.ts';

/** How a table is read and written by its columns. */
export interface TableShape extends MovedTable {
  /** Those that are written: no generated ones, and none that the cell numbers itself. */
  readonly columns: readonly string[];
  /** Of each row within its merchant, in the order of the primary key. */
  readonly keys: readonly { readonly name: string; readonly type: string }[];
  /** All of it in one text, to be compared between two cells. */
  readonly signature: string;
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly is_generated: boolean;
  readonly is_numbered: boolean;
  /** Its place in the primary key, where it has one. */
  readonly key_at: number | null;
}

const columnsOf = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         a.attgenerated <> '' as is_generated, a.attidentity <> '' as is_numbered,
         array_position(i.indkey::int2[], a.attnum) as key_at
  from pg_attribute a
  left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

export async function readShape(cell: CellConnection, table: MovedTable): Promise<TableShape> {
  const rows = await rowsOf<ColumnRow>(cell, columnsOf, [table.name]);
  const isRenumbered = table.form === 'renumbered';
  const inKey = rows
    .filter(({ key_at: at, is_numbered: isNumbered }) => (isRenumbered ? isNumbered : at !== null))
    .toSorted((one, other) => (one.key_at ?? 0) - (other.key_at ?? 0));
  return {
    ...table,
    columns: rows
      .filter((row) => !row.is_generated && !(isRenumbered && row.is_numbered))
      .map(({ name }) => name),
    keys: inKey
      .filter(({ name }) => name !== 'merchant_id')
      .map(({ name, type }) => ({ name, type })),
    signature: rows.map(({ name, type }) => `${name} ${type}`).join(', '),
  };
}
