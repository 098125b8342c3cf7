import type { Psp } from '../../domain/psps.ts';
import type { Queryable, Statement } from '../database.ts';

const removeOthers: Statement = {
  name: 'remove_other_psp_connections',
  text: 'delete from psp_connections where merchant_id = $1 and psp <> all ($2::text[])',
};

const add: Statement = {
  name: 'add_psp_connections',
  text: `
    insert into psp_connections (merchant_id, psp, created_at)
    select $1, psp, $3 from unnest($2::text[]) as given (psp)
    on conflict (merchant_id, psp) do nothing`,
};

const list: Statement = {
  name: 'list_psp_connections',
  text: 'select psp from psp_connections where merchant_id = $1 order by psp collate "C"',
};

export async function listPspConnections(
  db: Queryable,
  merchantId: string,
): Promise<readonly Psp[]> {
  const rows = await db.query<{ psp: Psp }>(list, [merchantId]);
  return rows.map((row) => row.psp);
}

/** Makes `psps` the merchant's connections; one that stays keeps the time it was made. */
export async function setPspConnections(
  tx: Queryable,
  input: { readonly merchantId: string; readonly psps: readonly Psp[]; readonly at: Date },
): Promise<void> {
  await tx.query(removeOthers, [input.merchantId, input.psps]);
  await tx.query(add, [input.merchantId, input.psps, input.at]);
}
