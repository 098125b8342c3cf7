import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '../../../src/domain/clock.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { newKeyText } from '../../../src/domain/key-text.ts';
import {
  createMerchantDirectory,
  type MerchantDirectoryDeps,
} from '../../../src/recovery/admin/merchant-directory.ts';
import type { FoundApiKey } from '../../../src/recovery/admin/ports.ts';
import {
  type AdminWorld,
  manualClock,
  newMerchant,
  openAdminWorld,
  random,
  rowsOf,
} from './admin-world.ts';

/** A directory over reads that are counted. */
function countedDirectory(found: FoundApiKey | undefined, noteUse = async () => {}) {
  const clock = manualClock();
  const calls: string[] = [];
  const log: string[] = [];
  const reads: MerchantDirectoryDeps['reads'] = {
    async findApiKey(hash) {
      calls.push(`find ${hash}`);
      return found;
    },
    async findDisputesPassword() {
      return undefined;
    },
    async noteUse({ credentialId }) {
      calls.push(`note ${credentialId}`);
      await noteUse();
    },
  };
  const directory = createMerchantDirectory({
    clock,
    records: { find: async () => undefined, forget: () => undefined },
    reads,
    hashCredential: (text) => `hash of ${text}`,
    log: { warn: (_, message) => log.push(message) },
  });
  return { clock, calls, log, directory };
}

const key = newKeyText(random, 'rk_live');
const valid: FoundApiKey = {
  merchantId: 'mer_1',
  credentialId: 'cred_1',
  psps: ['sandbox'],
  scopes: ['intake', 'read', 'act'],
};

describe('authenticating an API key', () => {
  it('asks nobody about a text that is no key', async () => {
    const { directory, calls } = countedDirectory(valid);
    for (const text of ['', 'x', key.slice(1), `${key} `, newKeyText(random, 'dp')]) {
      expect(await directory.authenticateApiKey(text)).toBeUndefined();
    }
    expect(calls).toEqual([]);
  });

  it('asks once a second for the same key, found or not', async () => {
    for (const found of [valid, undefined]) {
      const { directory, calls, clock } = countedDirectory(found);
      for (let index = 0; index < 5; index += 1) await directory.authenticateApiKey(key);
      expect(calls.filter((call) => call.startsWith('find'))).toEqual([`find hash of ${key}`]);
      clock.passMs(secondMs);
      await directory.authenticateApiKey(key);
      expect(calls.filter((call) => call.startsWith('find'))).toHaveLength(2);
    }
  });

  it('judges the expiry by the clock at each use', async () => {
    const { clock } = countedDirectory(valid);
    const expiresAt = new Date(clock.now().getTime() + 10);
    const world = countedDirectory({ ...valid, expiresAt });
    expect(await world.directory.authenticateApiKey(key)).toBeDefined();
    world.clock.passMs(10);
    expect(await world.directory.authenticateApiKey(key)).toBeUndefined();
    expect(world.calls.filter((call) => call.startsWith('find'))).toHaveLength(1);
  });

  it('refuses a revoked key', async () => {
    const { directory, clock } = countedDirectory({ ...valid, revokedAt: new Date(0) });
    expect(clock.now().getTime()).toBeGreaterThan(0);
    expect(await directory.authenticateApiKey(key)).toBeUndefined();
  });

  it('notes a use at most once a minute', async () => {
    const { directory, calls, clock } = countedDirectory(valid);
    const notes = () => calls.filter((call) => call.startsWith('note'));
    await directory.authenticateApiKey(key);
    clock.passMs(minuteMs - 1);
    await directory.authenticateApiKey(key);
    expect(notes()).toHaveLength(1);
    clock.passMs(1);
    await directory.authenticateApiKey(key);
    expect(notes()).toHaveLength(2);
  });

  it('does not fail with a note that fails, nor waits for it', async () => {
    const stuck = Promise.withResolvers<void>();
    const { directory, log } = countedDirectory(valid, () => stuck.promise);
    expect(await directory.authenticateApiKey(key)).toMatchObject({
      merchantId: 'mer_1',
      psps: ['sandbox'],
    });
    stuck.reject(new Error('the database is away'));
    await directory.idle();
    expect(log).toEqual(['the use of a credential could not be noted']);
  });

  it('leaves it to the other cell to note the use of a key whose merchant has moved there', async () => {
    const moved = () => Promise.reject(new AppError('merchant_moving'));
    const { directory, log } = countedDirectory(valid, moved);
    expect(await directory.authenticateApiKey(key)).toMatchObject({ merchantId: 'mer_1' });
    await directory.idle();
    expect(log).toEqual([]);
  });
});

describe('on the database', () => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await openAdminWorld();
  });
  afterAll(() => world.close());

  it('keeps when a key was last used', async () => {
    const { admin, directory, clock } = world;
    const { merchant, recoveryApiKey } = await admin.createMerchant(newMerchant());
    const usedAt = async () => {
      await directory.idle();
      const list = await world.shown.credentials(merchant.merchantId);
      return list.find(({ kind }) => kind === 'recovery_api_key')?.lastUsedAt;
    };
    expect(await usedAt()).toBeUndefined();
    await directory.authenticateApiKey(recoveryApiKey);
    const first = clock.now();
    expect(await usedAt()).toEqual(first);

    // Another process, not knowing of the note, is held back by the row itself.
    clock.passMs(minuteMs - 1);
    const other = world.openProcess().directory;
    await other.authenticateApiKey(recoveryApiKey);
    await other.idle();
    expect(await usedAt()).toEqual(first);
    clock.passMs(minuteMs);
    await directory.authenticateApiKey(recoveryApiKey);
    expect(await usedAt()).toEqual(clock.now());
  });

  it('takes neither a password nor an unknown key for an API key', async () => {
    const { admin, directory } = world;
    const { disputesPassword } = await admin.createMerchant(newMerchant());
    expect(await directory.authenticateApiKey(disputesPassword)).toBeUndefined();
    expect(await directory.authenticateApiKey(key)).toBeUndefined();
  });

  it("takes a merchant's own password of the disputes API until it ends, and no other text", async () => {
    const { admin, directory, clock } = world;
    const [own, other] = [
      await admin.createMerchant(newMerchant()),
      await admin.createMerchant(newMerchant()),
    ];
    const { merchantId } = own.merchant;
    const isTaken = async (text: string) =>
      (await directory.authenticateDisputes(merchantId, text)) !== undefined;
    expect(await isTaken(own.disputesPassword)).toBe(true);
    expect(await isTaken(other.disputesPassword)).toBe(false);
    expect(await isTaken(own.recoveryApiKey)).toBe(false);
    expect(await isTaken(newKeyText(random, 'dp'))).toBe(false);
    expect(await isTaken('')).toBe(false);
    const next = await admin.rotateCredential(merchantId, { kind: 'disputes_password' }, minuteMs);
    clock.passMs(minuteMs - 1);
    expect(await isTaken(own.disputesPassword)).toBe(true);
    clock.passMs(1);
    expect(await isTaken(own.disputesPassword)).toBe(false);
    expect(await isTaken(next?.text ?? '')).toBe(true);
    await admin.revokeCredential(merchantId, next?.credentialId ?? '');
    expect(await isTaken(next?.text ?? '')).toBe(false);
    await directory.idle();
  });

  it('says what a key and a password are for', async () => {
    const { admin, directory } = world;
    const { merchantId } = (await admin.createMerchant(newMerchant())).merchant;
    const scopes = ['intake'] as const;
    const key = await admin.issueCredential(merchantId, { kind: 'recovery_api_key', scopes });
    const password = await admin.issueCredential(merchantId, { kind: 'disputes_password', scopes });
    expect(await directory.authenticateApiKey(key?.text ?? '')).toMatchObject({ scopes });
    expect(await directory.authenticateDisputes(merchantId, password?.text ?? '')).toEqual(scopes);
    await directory.idle();
  });

  it('finds no merchant that is not there', async () => {
    expect(await world.directory.findMerchant('mer_none')).toBeUndefined();
    await expect(world.directory.merchantSecrets('mer_none')).rejects.toThrow('known merchant');
  });

  it('reads many merchants at once with few connections', async () => {
    const { admin, directory } = world;
    const created = await Promise.all(
      Array.from({ length: 40 }, () => admin.createMerchant(newMerchant())),
    );
    const read = await Promise.all(
      created.flatMap(({ merchant }) => [
        directory.findMerchant(merchant.merchantId),
        directory.findMerchant(merchant.merchantId),
      ]),
    );
    expect(read.map((merchant) => merchant?.merchantId)).toEqual(
      created.flatMap(({ merchant }) => [merchant.merchantId, merchant.merchantId]),
    );
    const [row] = await rowsOf(world.db, 'select count(*)::int as count from data_keys');
    expect(row?.count).toBeGreaterThanOrEqual(40);
  });
});
