import { invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { AuditEntry } from '../../recovery/admin/ports.ts';
import type {
  PlacedConnection,
  PlacedVersion,
  PspAccountStore,
  RetiredVersion,
} from '../../recovery/admin/psp-account-ports.ts';
import { appendAudit } from './audit-log.ts';
import type { CredentialWriteDeps } from './credential-writes.ts';
import { lockMerchant } from './merchants.ts';
import {
  listPspConnections,
  namePspAccount,
  readPspConnections,
  retirePspConnection,
} from './psp-connections.ts';
import { preparePlaces, retiredVersion } from './psp-places.ts';
import { currentDataKey } from './secrets.ts';

export function createPspAccountStore(deps: CredentialWriteDeps): PspAccountStore {
  return {
    readPspConnections: (merchantId) => readPspConnections(deps, merchantId),
    connectPsp: (input) => connectPsp(deps, input),
    disconnectPsp: (input) => disconnectPsp(deps, input),
    namePspAccount: (input) => namePspAccount(deps.db, input),
  };
}

/** Adds a connection or replaces its credentials; the merchant's other ones stay. */
async function connectPsp(
  deps: CredentialWriteDeps,
  input: {
    readonly merchantId: string;
    readonly connection: PlacedConnection;
    readonly audit: AuditEntry;
  },
): Promise<({ readonly kind: 'connected' } & PlacedVersion) | 'no_merchant' | 'changed'> {
  const { merchantId, connection, audit } = input;
  const dataKey = await currentDataKey(deps.db, merchantId);
  if (dataKey === undefined) return 'no_merchant';
  const target = { sealer: deps.sealer, merchantId, dataKey };
  const places = await preparePlaces({ db: deps.db, target }, [connection]);
  return await deps.db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return 'no_merchant';
    const placed = await places.place(tx, audit.at);
    if (placed === 'changed') return 'changed';
    const [only] = placed;
    invariant(only !== undefined, 'one connection has one place');
    await appendAudit(tx, merchantId, withVersions(audit, only));
    return { kind: 'connected', ...only };
  });
}

/** Removes a connection, unless it is the merchant's last one. */
async function disconnectPsp(
  deps: CredentialWriteDeps,
  input: { readonly merchantId: string; readonly psp: Psp; readonly audit: AuditEntry },
): Promise<
  | { readonly kind: 'disconnected'; readonly retired: RetiredVersion }
  | 'not_there'
  | 'last_connection'
> {
  const { merchantId, psp, audit } = input;
  return await deps.db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return 'not_there';
    const rows = await listPspConnections(tx, merchantId);
    const active = rows.filter((row) => row.state === 'active');
    const leaving = active.find((row) => row.psp === psp);
    if (leaving === undefined) return 'not_there';
    if (active.length === 1) return 'last_connection';
    await retirePspConnection(tx, { merchantId, ...leaving, at: audit.at });
    const retired = await retiredVersion(tx, merchantId, leaving);
    await appendAudit(tx, merchantId, withVersions(audit, { retired }));
    return { kind: 'disconnected', retired };
  });
}

function withVersions(audit: AuditEntry, placed: Partial<PlacedVersion>): AuditEntry {
  const { version, retired } = placed;
  return {
    ...audit,
    detail: {
      ...audit.detail,
      ...present({ version }),
      ...(retired !== undefined && {
        retired_version: retired.version,
        open_charges: retired.open?.count ?? 0,
      }),
    },
  };
}
