import { credentialScopes } from '../../domain/access/scopes.ts';
import { present } from '../../domain/present.ts';
import type {
  AddCredential,
  AddedCredential,
  EndCredential,
  HashCredential,
  NewCredential,
} from '../../recovery/admin/ports.ts';
import type { Database, Queryable } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { appendAudit } from './audit-log.ts';
import {
  countValidCredentials,
  endCredentials,
  findValidCredential,
  insertCredential,
  revokeHashed,
} from './credentials.ts';
import { lockMerchant } from './merchants.ts';
import { type SealFor, sealSigningSecret } from './seal-merchant.ts';
import {
  countValidSigningSecrets,
  currentDataKey,
  endSigningSecrets,
  insertSecret,
  readSecrets,
} from './secrets.ts';

export interface CredentialWriteDeps {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly hashCredential: HashCredential;
}

/** Under the merchant's lock, so that two rotations at once cannot exceed what may be valid. */
export async function addCredential(
  deps: CredentialWriteDeps,
  input: AddCredential,
): Promise<AddedCredential> {
  const { merchantId, endOthersAt, replaces } = input;
  const dataKey = await currentDataKey(deps.db, merchantId);
  if (dataKey === undefined) return 'no_merchant';
  const target = { sealer: deps.sealer, merchantId, dataKey };
  return await deps.db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return 'no_merchant';
    const credential = await inTheNameOf(tx, merchantId, input);
    if (credential === undefined) return 'nothing_to_replace';
    const insert = await prepareCredential(deps, target, credential);
    const othersStay =
      endOthersAt === undefined || endOthersAt.getTime() > credential.createdAt.getTime();
    if (othersStay && (await countValid(tx, merchantId, credential)) > input.maxOthers) {
      return 'too_many';
    }
    if (endOthersAt !== undefined) {
      await endOthers(tx, merchantId, credential, { endAt: endOthersAt, ...present({ replaces }) });
    }
    await insert(tx);
    const { scopes, name } = credential;
    const given = present({ scopes, name });
    const { audit } = input;
    await appendAudit(tx, merchantId, { ...audit, detail: { ...audit.detail, ...given } });
    return given;
  });
}

/** The new one with the scopes and the name of the one that it replaces, where it has none of its own. */
async function inTheNameOf(
  tx: Queryable,
  merchantId: string,
  { credential, replaces: credentialId }: AddCredential,
): Promise<NewCredential | undefined> {
  const { kind, createdAt: at } = credential;
  if (kind === 'signing_secret') return credential;
  if (credentialId === undefined) return { scopes: credentialScopes, ...credential };
  const replaced = await findValidCredential(tx, { merchantId, kind, credentialId, at });
  return replaced && { ...replaced, ...credential };
}

export async function endCredential(
  deps: CredentialWriteDeps,
  input: EndCredential,
): Promise<'ended' | 'not_there' | 'last_signing_secret'> {
  const { merchantId, credentialId, audit } = input;
  return await deps.db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return 'not_there';
    if (!(await revokeHashed(tx, { merchantId, credentialId, at: audit.at }))) {
      const outcome = await endSigningSecret(tx, merchantId, credentialId, audit.at);
      if (outcome !== 'ended') return outcome;
    }
    await appendAudit(tx, merchantId, audit);
    return 'ended';
  });
}

/** Hashes or seals a new credential; the function that comes back inserts it. */
export async function prepareCredential(
  deps: Pick<CredentialWriteDeps, 'hashCredential'>,
  target: SealFor,
  credential: NewCredential,
): Promise<(tx: Queryable) => Promise<void>> {
  const { credentialId, kind, text, createdAt } = credential;
  const { merchantId } = target;
  if (kind !== 'signing_secret') {
    const hash = deps.hashCredential(text);
    return (tx) => insertCredential(tx, { merchantId, credential, hash });
  }
  const secret = await sealSigningSecret(target, credentialId, text);
  return (tx) => insertSecret(tx, secret, createdAt);
}

/**
 * One has to stay that has no end: one that a rotation lets run out, or that another call has just ended by a clock a
 * moment ahead of `at`, signs nothing for long.
 */
async function endSigningSecret(
  tx: Queryable,
  merchantId: string,
  name: string,
  at: Date,
): Promise<'ended' | 'not_there' | 'last_signing_secret'> {
  const valid = await readSecrets(tx, { merchantId, kinds: ['signing_secret'], validAt: at });
  if (!valid?.some((secret) => secret.place.name === name)) return 'not_there';
  const stays = valid.some(
    (secret) => secret.place.name !== name && secret.expiresAt === undefined,
  );
  if (!stays) return 'last_signing_secret';
  await endSigningSecrets(tx, { merchantId, name, endAt: at });
  return 'ended';
}

function countValid(
  tx: Queryable,
  merchantId: string,
  { kind, createdAt: at }: NewCredential,
): Promise<number> {
  if (kind === 'signing_secret') return countValidSigningSecrets(tx, merchantId, at);
  return countValidCredentials(tx, { merchantId, kind, at });
}

async function endOthers(
  tx: Queryable,
  merchantId: string,
  { kind }: NewCredential,
  { endAt, replaces }: { readonly endAt: Date; readonly replaces?: string },
): Promise<void> {
  if (kind === 'signing_secret') await endSigningSecrets(tx, { merchantId, endAt });
  else
    await endCredentials(tx, { merchantId, kind, endAt, ...present({ credentialId: replaces }) });
}
