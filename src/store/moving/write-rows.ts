import pg from 'pg';
import { AppError } from '../../domain/errors.ts';
import { countMovedCharges } from '../rollups/count-charges.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';
import { rewrapDataKeys } from './keys/move-keys.ts';
import type { MoveEnds } from './move-ends.ts';
import type { TableShape } from './table-shape.ts';

/** Writes what waits in the target into its tables, within a transaction of the target. */
export async function writeRows(
  ends: MoveEnds,
  { merchantId, tables }: { readonly merchantId: string; readonly tables: readonly TableShape[] },
): Promise<void> {
  for (const table of tables) {
    switch (table.form) {
      case 'rows':
        await insertStaged(ends.target, merchantId, table);
        break;
      case 'appended':
        await insertStaged(ends.target, merchantId, table, {
          only: `(x.row).line > coalesce((select line from audit_heads where merchant_id = $1), 0)`,
          order: '(x.row).line',
        });
        break;
      case 'renumbered':
        // What the rows before left of their own accord.
        await rowsOf(ends.target, `delete from ${table.name} where merchant_id = $1`, [merchantId]);
        await insertStaged(ends.target, merchantId, table);
        break;
      case 'rewrapped':
        await rewrapDataKeys(ends, merchantId);
        break;
      case 'recounted':
        break;
    }
  }
  await countMovedCharges(ends.target, merchantId);
}

/**
 * The texts of rows become rows of the table's own type again: read by a part of their own, since Citus makes a text
 * without sense of an `insert … select` over a subquery.
 */
async function insertStaged(
  target: CellConnection,
  merchantId: string,
  { name, columns }: TableShape,
  { only = 'true', order = 'x.chunk, x.at' }: { only?: string; order?: string } = {},
): Promise<void> {
  const write = rowsOf(
    target,
    `with x as materialized (
       select x.* from (
         select m.chunk, r.at, r.text::${name} as row
         from moving_rows m cross join lateral unnest(m.rows) with ordinality as r (text, at)
         where m.merchant_id = $1 and m.table_name = '${name}' offset 0
       ) x
       where ${only}
     )
     insert into ${name} (${columns.join(', ')})
     select ${columns.map((column) => `(x.row).${column}`).join(', ')}
     from x order by ${order}`,
    [merchantId],
  );
  await write.catch((error: unknown) => {
    if (!isConstraint(error)) throw error;
    const what = `The other cell refuses rows of ${name} (${error.constraint ?? error.code}).`;
    throw new AppError('move_rows_differ', what, { cause: error });
  });
}

/** Integrity constraint violations, by their class of SQLSTATEs. */
function isConstraint(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') === true;
}
