import { present } from '../../domain/present.ts';
import type { PspAccountView } from '../../recovery/operator-api.ts';
import { listPspConnections } from '../admin/psp-connections.ts';
import { accountKey, readOpenCharges } from '../admin/psp-open-charges.ts';
import type { Queryable } from '../database.ts';

/** Every account that the merchant connected, with what is open at it: PSP by PSP, oldest first. */
export async function readPspAccounts(
  db: Queryable,
  merchantId: string,
): Promise<readonly PspAccountView[]> {
  const rows = await listPspConnections(db, merchantId);
  const open = await readOpenCharges(db, merchantId);
  return rows.map(({ psp, version, account, mode, state, ...row }) =>
    present({
      psp,
      version,
      account: account ?? undefined,
      mode,
      state,
      connectedAt: row.created_at,
      retiredAt: row.retired_at ?? undefined,
      credentialsDestroyedAt: row.destroyed_at ?? undefined,
      open: open.get(accountKey(psp, version)),
    }),
  );
}
