import { type CredentialScope, credentialScopes } from '../../domain/access/scopes.ts';
import { type Clock, minuteMs, secondMs } from '../../domain/clock.ts';
import { AppError, invariant } from '../../domain/errors.ts';
import { cellOfKey, isKeyText } from '../../domain/key-text.ts';
import type { Merchant, MerchantSecrets } from '../../domain/merchant.ts';
import type { Psp } from '../../domain/psps.ts';
import type { MerchantRecords } from './merchant-records.ts';
import type {
  FoundApiKey,
  FoundCredential,
  HashCredential,
  IssuedElsewhere,
  MerchantReads,
} from './ports.ts';
import { TtlCache } from './ttl-cache.ts';

/** How long another process may go on with what it has read: the delay of a revocation there. */
const ttlMs = secondMs;
/** Keys that are remembered at once; a thousand calls a second stay far below. */
const max = 10_000;
const noteUseEveryMs = minuteMs;

export interface CallingMerchant {
  readonly merchantId: string;
  readonly credentialId: string;
  readonly psps: readonly Psp[];
  readonly scopes: readonly CredentialScope[];
}

/**
 * Merchants, their opened secrets, API keys and passwords, as every call and every attempt needs them.
 * What was read is used for one second of the service's clock. A change made in this process is
 * seen at once (`forget`); one made by another process, a revocation too, within that second.
 * Expiry is judged by the clock at each use. Opened secrets live in memory only.
 */
export interface MerchantDirectory {
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
  /** Of a known merchant. @throws AppError encryption_key_wrong where a secret does not open */
  merchantSecrets(merchantId: string): Promise<MerchantSecrets>;
  /** Whose recovery API key `text` is; undefined for one that is unknown, ended or revoked. */
  authenticateApiKey(text: string): Promise<CallingMerchant | undefined>;
  /** What `text` is for, as a password of the disputes API of this merchant; undefined as for keys. */
  authenticateDisputes(
    merchantId: string,
    text: string,
  ): Promise<readonly CredentialScope[] | undefined>;
  /** To be called after each committed change of a merchant or its credentials. */
  forget(merchantId: string): void;
  /** Resolves when no note of a key's use is on its way, so that the database may be closed. */
  idle(): Promise<void>;
}

/** For the operator's log: ids and words. */
export interface DirectoryLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface MerchantDirectoryDeps {
  readonly clock: Clock;
  readonly records: MerchantRecords;
  readonly reads: Omit<MerchantReads, 'readMerchant'>;
  readonly hashCredential: HashCredential;
  /** Absent: there are no other cells. */
  readonly elsewhere?: IssuedElsewhere;
  readonly log: DirectoryLog;
}

export function createMerchantDirectory(deps: MerchantDirectoryDeps): MerchantDirectory {
  const { clock, records, reads, elsewhere } = deps;
  const bounds = { ttlMs, max };
  const apiKeys = new TtlCache<Known<FoundApiKey>>(
    {
      clock,
      load: async (hash) =>
        (await reads.findApiKey(hash)) ?? gone(await elsewhere?.findMoved(hash)),
    },
    bounds,
  );
  const passwords = new TtlCache<Known<FoundCredential>>(
    {
      clock,
      load: async (hash) =>
        (await reads.findDisputesPassword(hash)) ?? gone(await elsewhere?.findMoved(hash)),
    },
    bounds,
  );
  const hashOf = async (text: string): Promise<string> => {
    const cell = cellOfKey(text);
    const theirs = cell === elsewhere?.cell ? undefined : await elsewhere?.hasherOf(cell);
    return (theirs ?? deps.hashCredential)(text);
  };
  const uses = createUseNotes(deps);

  return {
    findMerchant: async (merchantId) => (await records.find(merchantId))?.merchant,
    async merchantSecrets(merchantId) {
      const record = await records.find(merchantId);
      invariant(record !== undefined, 'secrets are asked of a known merchant');
      const read = await record.openSecrets();
      const now = clock.now();
      const valid = read.signingSecrets.filter((secret) => !hasEnded(secret, now));
      return { auth: read.auth, signingSecrets: valid.map((secret) => secret.text) };
    },
    async authenticateApiKey(text) {
      if (!isKeyText(text, ['rk_test', 'rk_live'])) return undefined;
      const found = await apiKeys.get(await hashOf(text));
      const now = clock.now();
      if (found === undefined || hasEnded(found, now)) return undefined;
      if (found.hasLeft !== true) uses.note(found, now);
      const { merchantId, credentialId, psps, scopes } = found;
      return { merchantId, credentialId, psps, scopes };
    },
    async authenticateDisputes(merchantId, text) {
      if (!isKeyText(text, ['dp'])) return undefined;
      // Found by its keyed hash: how long that takes tells nothing of the passwords that there are.
      const found = await passwords.get(await hashOf(text));
      const now = clock.now();
      if (found?.merchantId !== merchantId || hasEnded(found, now)) return undefined;
      if (found.hasLeft !== true) uses.note(found, now);
      return found.scopes;
    },
    forget(merchantId) {
      records.forget(merchantId);
      apiKeys.forget((_, found) => found.merchantId === merchantId);
      passwords.forget((_, found) => found.merchantId === merchantId);
    },
    idle: uses.idle,
  };
}

/** Whoever has left is known by the credential alone: what it is good for is for the other cell to say. */
type Known<Found extends FoundCredential> = Found & { readonly hasLeft?: true };

function gone(merchantId: string | undefined): Known<FoundApiKey> | undefined {
  if (merchantId === undefined) return undefined;
  return { merchantId, credentialId: '', psps: [], scopes: credentialScopes, hasLeft: true };
}

function hasEnded(
  credential: { readonly expiresAt?: Date; readonly revokedAt?: Date },
  now: Date,
): boolean {
  if (credential.revokedAt !== undefined) return true;
  return credential.expiresAt !== undefined && credential.expiresAt.getTime() <= now.getTime();
}

interface UseNotes {
  note(found: FoundCredential, at: Date): void;
  idle(): Promise<void>;
}

/** Writes when a key was last used: in the background, at most once a minute for each key. */
function createUseNotes(deps: MerchantDirectoryDeps): UseNotes {
  const notedAtMs = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  async function write(found: FoundCredential, at: Date): Promise<void> {
    const { merchantId, credentialId } = found;
    try {
      await deps.reads.noteUse({ merchantId, credentialId, at, atMostEveryMs: noteUseEveryMs });
    } catch (error) {
      // The call is passed on, and the other cell notes it.
      if (error instanceof AppError && error.code === 'merchant_moving') return;
      deps.log.warn({ merchantId, credentialId }, 'the use of a credential could not be noted');
    }
  }

  return {
    note(found, at) {
      const last = notedAtMs.get(found.credentialId);
      if (last !== undefined && Math.abs(at.getTime() - last) < noteUseEveryMs) return;
      // Forgetting them all costs one statement per key at most, which the store then turns down.
      if (notedAtMs.size >= max) notedAtMs.clear();
      notedAtMs.set(found.credentialId, at.getTime());
      const written = write(found, at);
      writing.add(written);
      void written.finally(() => writing.delete(written));
    },
    async idle() {
      await Promise.all(writing);
    },
  };
}
