import { AppError } from '../../domain/errors.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';
import type { TableShape } from './table-shape.ts';

/** How many rows of a merchant a table has, and a sum of their digests, whatever their order. */
export interface Tally {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

/** What of a row has to be the same in both cells. */
function comparedOf(table: TableShape): string {
  switch (table.form) {
    case 'rows':
    case 'appended':
      return 't::text';
    case 'rewrapped':
      return 'row(t.version, t.created_at)::text';
    case 'renumbered':
      return `row(${table.columns.map((column) => `t.${column}`).join(', ')})::text`;
    case 'recounted':
      return `''`;
  }
}

/** 120 of the 128 bits of each row's MD5, as two sums: rows that differ cannot add up to the same by chance. */
async function tallyOf(
  cell: CellConnection,
  merchantId: string,
  table: TableShape,
): Promise<Tally> {
  const part = (from: number) =>
    `coalesce(sum(('x' || substr(d, ${from}, 15))::bit(60)::bigint), 0)`;
  const [row] = await rowsOf<{ rows: number; digest: string }>(
    cell,
    `select count(*)::int as rows, ${part(1)}::text || ' ' || ${part(16)}::text as digest
     from (select md5(${comparedOf(table)}) as d from ${table.name} t
           where t.merchant_id = $1 offset 0) r`,
    [merchantId],
  );
  return { table: table.name, rows: row?.rows ?? 0, digest: row?.digest ?? '' };
}

/**
 * Counts and compares every table of the merchant, cell against cell.
 *
 * @throws AppError move_rows_differ, which names the tables
 */
export async function verifyRows(
  { source, target }: { readonly source: CellConnection; readonly target: CellConnection },
  { merchantId, tables }: { readonly merchantId: string; readonly tables: readonly TableShape[] },
): Promise<readonly Tally[]> {
  const tallies: Tally[] = [];
  const faults: string[] = [];
  for (const table of tables.filter(({ form }) => form !== 'recounted')) {
    const [ours, theirs] = await Promise.all([
      tallyOf(source, merchantId, table),
      tallyOf(target, merchantId, table),
    ]);
    tallies.push(ours);
    if (ours.rows === theirs.rows && ours.digest === theirs.digest) continue;
    const counts = `${ours.rows} and ${theirs.rows} rows`;
    faults.push(`${table.name} (${ours.rows === theirs.rows ? 'other values' : counts})`);
  }
  if (faults.length === 0) return tallies;
  throw new AppError('move_rows_differ', `Between the two cells differ: ${faults.join(', ')}.`);
}
