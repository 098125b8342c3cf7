import type { Psp } from '../../domain/psps.ts';
import type { AccountKey, RunDeps } from '../../recovery/reconciliation/run-reconciliations.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

const list: Statement = {
  name: 'list_accounts_to_reconcile',
  text: `
    select merchant_id, psp, version from psp_connections
    where ($1::text is null or merchant_id = $1) and ($2::text is null or psp = $2)
      and case when $3 then destroyed_at is null and not exists (
            select from reconciliations r join restore_checks c on c.state = 'running'
            where r.merchant_id = psp_connections.merchant_id and r.psp = psp_connections.psp
              and r.connection_version = psp_connections.version and r.purpose = 'restore'
              and r.started_at >= c.started_at)
          else state = 'active' end
      ${unlessMoved('psp_connections')}
      and ($4::text is null or (merchant_id, psp, version) > ($4, $5::text, $6::int))
    order by merchant_id, psp, version limit $7`,
};

/** Accounts whose charges can be compared, in the order of their keys. */
export async function listAccounts(
  db: Queryable,
  input: Parameters<RunDeps['listAccounts']>[0],
): Promise<readonly AccountKey[]> {
  const { merchantId, psp, purpose, after, limit } = input;
  const rows = await db.query<{ merchant_id: string; psp: Psp; version: number }>(list, [
    merchantId ?? null,
    psp ?? null,
    purpose === 'restore',
    after?.merchantId ?? null,
    after?.psp ?? null,
    after?.connectionVersion ?? null,
    limit,
  ]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    psp: row.psp,
    connectionVersion: row.version,
  }));
}
