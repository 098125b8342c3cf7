import { isDeepStrictEqual } from 'node:util';
import { invariant } from '../../domain/errors.ts';
import type { PolicySettings } from '../../domain/merchant.ts';
import { auditedChange, auditedMerchant } from '../../recovery/admin/audited-merchant.ts';
import type { AdminStore, AuditEntry, NewMerchantRecord } from '../../recovery/admin/ports.ts';
import type { PlacedConnection } from '../../recovery/admin/psp-account-ports.ts';
import type { MerchantChange, MerchantView } from '../../recovery/operator-api.ts';
import { appendAudit } from './audit-log.ts';
import {
  addCredential,
  type CredentialWriteDeps,
  endCredential,
  prepareCredential,
} from './credential-writes.ts';
import { findMerchant, insertMerchant, lockMerchant, updateMerchant } from './merchants.ts';
import { createPspAccountStore } from './psp-connection-writes.ts';
import { preparePlaces } from './psp-places.ts';
import { sealAuth } from './seal-merchant.ts';
import { currentDataKey, insertDataKey, insertSecret, removeSecrets } from './secrets.ts';

/** A merchant's first data key. */
const firstVersion = 1;

/** Merchants and their credentials in the database. Secrets are sealed before a transaction begins. */
export function createAdminStore(deps: CredentialWriteDeps): AdminStore {
  const { db } = deps;
  return {
    ...createPspAccountStore(deps),
    insertMerchant: (record) => insertWhole(deps, record),
    findMerchant: (merchantId) => findMerchant(db, merchantId),
    changeMerchant: (input) => change(deps, input),
    addCredential: (input) => addCredential(deps, input),
    endCredential: (input) => endCredential(deps, input),
  };
}

async function insertWhole(deps: CredentialWriteDeps, record: NewMerchantRecord): Promise<void> {
  const { merchantId, audit } = record;
  const { at } = audit;
  const dataKey = await deps.sealer.newDataKey(merchantId, firstVersion);
  const target = { sealer: deps.sealer, merchantId, dataKey };
  const secrets = await sealAuth(target, record.auth);
  const placing = await preparePlaces({ db: deps.db, target }, record.psps);
  const credentials = await Promise.all(
    record.credentials.map((credential) => prepareCredential(deps, target, credential)),
  );
  await deps.db.transaction(async (tx) => {
    await insertMerchant(tx, record);
    await insertDataKey(tx, { merchantId, dataKey, at });
    for (const secret of secrets) await insertSecret(tx, secret, at);
    for (const insert of credentials) await insert(tx);
    await placing.placeAll(tx, at);
    const made = await findMerchant(tx, merchantId);
    invariant(made !== undefined, 'a merchant that was just made is there');
    await appendAudit(tx, merchantId, { ...audit, after: auditedMerchant(made) });
  });
}

async function change(
  deps: CredentialWriteDeps,
  input: {
    readonly merchantId: string;
    readonly change: Omit<MerchantChange, 'psps'>;
    readonly psps?: readonly PlacedConnection[];
    readonly standing?: PolicySettings;
    readonly audit: AuditEntry;
  },
): Promise<MerchantView | 'changed' | 'policy_changed' | undefined> {
  const { merchantId, audit, psps, standing } = input;
  const { at } = audit;
  const { auth } = input.change;
  const dataKey = await currentDataKey(deps.db, merchantId);
  if (dataKey === undefined) return undefined;
  const target = { sealer: deps.sealer, merchantId, dataKey };
  const newAuth = auth && (await sealAuth(target, auth));
  const placing = psps && (await preparePlaces({ db: deps.db, target }, psps));
  return await deps.db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return undefined;
    const before = await findMerchant(tx, merchantId);
    const stands = standing === undefined || isDeepStrictEqual(before?.policy, standing);
    if (!stands) return 'policy_changed';
    if (placing !== undefined && (await placing.placeAll(tx, at)) === 'changed') return 'changed';
    await updateMerchant(tx, { merchantId, change: input.change, at });
    if (newAuth !== undefined) {
      await removeSecrets(tx, merchantId, 'merchant_auth');
      for (const secret of newAuth) await insertSecret(tx, secret, at);
    }
    const after = await findMerchant(tx, merchantId);
    invariant(before !== undefined && after !== undefined, 'a merchant that is locked is there');
    await appendAudit(tx, merchantId, { ...audit, ...auditedChange(before, after) });
    return after;
  });
}
