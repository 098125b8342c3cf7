import type { Psp } from '../../domain/psps.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { appendAudit } from './audit-log.ts';
import { lockMerchant } from './merchants.ts';
import { credentialsName } from './psp-connections.ts';
import { removeSecret } from './secrets.ts';

/**
 * Accounts retired before `$1` that nothing open needs: no charge waits for their record, and no debt
 * that was reported while they were connected is still to be asked for its invoice ($3: where there are any).
 */
const due: Statement = {
  name: 'list_settled_psp_connections',
  text: `
    select c.merchant_id, c.psp, c.version
    from psp_connections c
    where c.state = 'retired' and c.destroyed_at is null and c.retired_at < $1
      ${unlessMoved('c')}
      and not exists (
        select from psp_transactions t
        where t.merchant_id = c.merchant_id and t.state in ('sending', 'unknown')
          and t.psp = c.psp and t.connection_version = c.version)
      and not exists (
        select from payments p
        where p.merchant_id = c.merchant_id and p.psp = c.psp and p.psp = any ($3::text[])
          and p.psp_invoice_state = 'unasked' and p.created_at <= c.retired_at
          and p.state in ('scheduled', 'attempting'))
    order by c.retired_at
    limit $2`,
};

const destroy: Statement = {
  name: 'mark_psp_connection_destroyed',
  text: `
    update psp_connections set destroyed_at = $4
    where merchant_id = $1 and psp = $2 and version = $3
      and state = 'retired' and destroyed_at is null
    returning version`,
};

interface Settled {
  readonly merchant_id: string;
  readonly psp: Psp;
  readonly version: number;
}

/**
 * Destroys the credentials of accounts that were retired before `retiredBefore` and have nothing open
 * any more; how many there were. Each is a transaction with its line of the audit log.
 */
export async function destroyRetiredCredentials(
  db: Database,
  input: {
    readonly retiredBefore: Date;
    readonly at: Date;
    readonly limit: number;
    /** PSPs at which a debt's invoice may live. */
    readonly invoiceHolders: readonly Psp[];
  },
): Promise<number> {
  const { retiredBefore, limit, invoiceHolders } = input;
  const settled = await db.query<Settled>(due, [retiredBefore, limit, invoiceHolders]);
  for (const account of settled) {
    await db.transaction((tx) => destroyOne(tx, account, input.at));
  }
  return settled.length;
}

async function destroyOne(tx: Queryable, account: Settled, at: Date): Promise<void> {
  const { merchant_id: merchantId, psp, version } = account;
  if (!(await lockMerchant(tx, merchantId))) return;
  const marked = await tx.query(destroy, [merchantId, psp, version, at]);
  if (marked.length === 0) return;
  await removeSecret(tx, {
    merchantId,
    kind: 'psp_credentials',
    name: credentialsName(psp, version),
  });
  await appendAudit(tx, merchantId, {
    action: 'psp.credentials_destroyed',
    detail: { psp, version },
    at,
  });
}
