import type { Psp } from '../../domain/psps.ts';
import type { AuditEntry } from '../../recovery/admin/ports.ts';
import type { PspConnection } from '../../recovery/operator-api.ts';
import { appendAudit } from './audit-log.ts';
import type { CredentialWriteDeps } from './credential-writes.ts';
import { lockMerchant } from './merchants.ts';
import { listPspConnections, setPspConnections } from './psp-connections.ts';
import { sealPsps } from './seal-merchant.ts';
import { currentDataKey, insertSecret, removeSecret } from './secrets.ts';

/** Adds a connection or replaces its credentials; the merchant's other ones stay. */
export async function connectPsp(
  deps: CredentialWriteDeps,
  input: {
    readonly merchantId: string;
    readonly connection: PspConnection;
    readonly audit: AuditEntry;
  },
): Promise<'connected' | 'no_merchant'> {
  const { merchantId, connection, audit } = input;
  const dataKey = await currentDataKey(deps.db, merchantId);
  if (dataKey === undefined) return 'no_merchant';
  const secrets = await sealPsps({ sealer: deps.sealer, merchantId, dataKey }, [connection]);
  return await deps.db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return 'no_merchant';
    const present = await listPspConnections(tx, merchantId);
    const psps = [...new Set([...present, connection.psp])];
    await removeSecret(tx, { merchantId, kind: 'psp_credentials', name: connection.psp });
    for (const secret of secrets) await insertSecret(tx, secret, audit.at);
    await setPspConnections(tx, { merchantId, psps, at: audit.at });
    await appendAudit(tx, merchantId, audit);
    return 'connected';
  });
}

/** Removes a connection with its credentials, unless it is the merchant's last one. */
export async function disconnectPsp(
  deps: CredentialWriteDeps,
  input: { readonly merchantId: string; readonly psp: Psp; readonly audit: AuditEntry },
): Promise<'disconnected' | 'not_there' | 'last_connection'> {
  const { merchantId, psp, audit } = input;
  return await deps.db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return 'not_there';
    const present = await listPspConnections(tx, merchantId);
    if (!present.includes(psp)) return 'not_there';
    const psps = present.filter((other) => other !== psp);
    if (psps.length === 0) return 'last_connection';
    await removeSecret(tx, { merchantId, kind: 'psp_credentials', name: psp });
    await setPspConnections(tx, { merchantId, psps, at: audit.at });
    await appendAudit(tx, merchantId, audit);
    return 'disconnected';
  });
}
