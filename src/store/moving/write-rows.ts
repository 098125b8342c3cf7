import { countMovedCharges } from '../rollups/count-charges.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';
import type { MoveEnds } from './move-ends.ts';
import { rewrapDataKeys } from './move-keys.ts';
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

/** The texts of rows become rows of the table's own type again. */
async function insertStaged(
  target: CellConnection,
  merchantId: string,
  { name, columns }: TableShape,
  { only = 'true', order = 'x.chunk, x.at' }: { only?: string; order?: string } = {},
): Promise<void> {
  await rowsOf(
    target,
    `insert into ${name} (${columns.join(', ')})
     select ${columns.map((column) => `(x.row).${column}`).join(', ')}
     from (
       select m.chunk, r.at, r.text::${name} as row
       from moving_rows m cross join lateral unnest(m.rows) with ordinality as r (text, at)
       where m.merchant_id = $1 and m.table_name = '${name}' offset 0
     ) x
     where ${only} order by ${order}`,
    [merchantId],
  );
}
