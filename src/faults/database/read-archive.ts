import type pg from 'pg';
import { decompress } from '../../store/archive/compress.ts';
import type { PackedTable } from '../../store/archive/packed-rows.ts';
import { unpackedRows, unpackedValue } from '../../store/archive/unpacked-rows.ts';

/** Rows of a table that are in the archive, as the service reads them through it. */
export type ReadArchived = (table: PackedTable) => Promise<readonly unknown[]>;

/** Reads alone: a look in the middle of a run puts nothing back. */
export async function readArchive(client: pg.Client): Promise<ReadArchived> {
  const { rows } = await client.query<{ merchant_id: string; invoice_id: string; packed: Buffer }>(
    'select merchant_id, invoice_id, packed from archived_payments order by 1, 2',
  );
  const values = rows.map((row) =>
    unpackedValue(
      { merchantId: row.merchant_id, invoiceId: row.invoice_id },
      decompress(row.packed),
    ),
  );
  return async (table) => {
    const read = `
      select u.* from unnest($1::jsonb[]) as w (value)
      cross join lateral (${unpackedRows(table, 'w.value')}) u`;
    return (await client.query(read, [values])).rows;
  };
}
