import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { localKeyProvider } from '../../../src/store/sealing/key-provider.ts';
import { createSealer, type SecretPlace } from '../../../src/store/sealing/sealer.ts';
import { verifyEncryptionKey } from '../../../src/store/sealing/verify-encryption-key.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';

const random = { bytes: (count: number) => randomBytes(count) };
const key = randomBytes(32);
const sealerOf = (encryptionKey: Uint8Array) =>
  createSealer({ keys: localKeyProvider({ random }, encryptionKey), random });
const place: SecretPlace = { merchantId: 'mer_1', kind: 'merchant_auth', name: 'api_key' };
const wrong = { code: 'encryption_key_wrong' };

describe('a sealed text', () => {
  it('opens in its place, whatever it is', async () => {
    const sealer = sealerOf(key);
    const dataKey = await sealer.newDataKey('mer_1', 1);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const sealed = await sealer.seal(place, dataKey, text);
        return (await sealer.open(place, dataKey, sealed)) === text;
      }),
    );
  });

  it('may be any bytes, which come back as they were', async () => {
    const sealer = sealerOf(key);
    const dataKey = await sealer.newDataKey('mer_1', 1);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (bytes) => {
        const sealed = await sealer.seal(place, dataKey, bytes);
        return Buffer.from(await sealer.openBytes(place, dataKey, sealed)).equals(bytes);
      }),
    );
  });

  it('opens in another process that has the same encryption key', async () => {
    const dataKey = await sealerOf(key).newDataKey('mer_1', 1);
    const sealed = await sealerOf(key).seal(place, dataKey, 'secret');
    expect(await sealerOf(key).open(place, dataKey, sealed)).toBe('secret');
  });

  it('is another one each time', async () => {
    const sealer = sealerOf(key);
    const dataKey = await sealer.newDataKey('mer_1', 1);
    const one = await sealer.seal(place, dataKey, 'secret');
    expect(await sealer.seal(place, dataKey, 'secret')).not.toEqual(one);
  });

  it('does not open with any bit changed or any end cut', async () => {
    const sealer = sealerOf(key);
    const dataKey = await sealer.newDataKey('mer_1', 1);
    const sealed = await sealer.seal(place, dataKey, 'secret');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Uint8Array.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expect(sealer.open(place, dataKey, changed)).rejects.toMatchObject(wrong);
    }
    for (let length = 0; length < sealed.length; length += 1) {
      const cut = sealed.subarray(0, length);
      await expect(sealer.open(place, dataKey, cut)).rejects.toMatchObject(wrong);
    }
  });

  it.each([
    { ...place, merchantId: 'mer_2' },
    { ...place, kind: 'psp_credentials' },
    { ...place, name: 'basic' },
  ] satisfies SecretPlace[])('does not open moved to %j', async (other) => {
    const sealer = sealerOf(key);
    const dataKey = await sealer.newDataKey('mer_1', 1);
    const sealed = await sealer.seal(place, dataKey, 'secret');
    await expect(sealer.open(other, dataKey, sealed)).rejects.toMatchObject(wrong);
  });

  it('stays open under its own version of the data key when there is a newer one', async () => {
    const sealer = sealerOf(key);
    const first = await sealer.newDataKey('mer_1', 1);
    const second = await sealer.newDataKey('mer_1', 2);
    const old = await sealer.seal(place, first, 'old');
    const recent = await sealer.seal(place, second, 'recent');
    expect(await sealer.open(place, first, old)).toBe('old');
    expect(await sealer.open(place, second, recent)).toBe('recent');
    await expect(sealer.open(place, second, old)).rejects.toMatchObject(wrong);
    // Who seals and who opens agree on the key of a version, not only each with himself.
    expect(await sealerOf(key).open(place, second, recent)).toBe('recent');
    expect(await sealerOf(key).open(place, first, old)).toBe('old');
  });

  it('does not open with another encryption key', async () => {
    const dataKey = await sealerOf(key).newDataKey('mer_1', 1);
    const sealed = await sealerOf(key).seal(place, dataKey, 'secret');
    const refusal = sealerOf(randomBytes(32)).open(place, dataKey, sealed);
    await expect(refusal).rejects.toMatchObject(wrong);
  });
});

describe('a data key', () => {
  it('unwraps for its own merchant and version alone', async () => {
    const sealer = sealerOf(key);
    const dataKey = await sealer.newDataKey('mer_1', 1);
    await expect(sealer.verify('mer_1', dataKey)).resolves.toBeUndefined();
    await expect(sealer.verify('mer_2', dataKey)).rejects.toMatchObject(wrong);
    await expect(sealer.verify('mer_1', { ...dataKey, version: 2 })).rejects.toMatchObject(wrong);
  });

  it.each([[], [0], [1], [1, 200], [2, 0, 0], [1, 3, 65, 65, 65, 1]])(
    'of the bytes %j is told as a wrong key',
    async (...bytes) => {
      const wrappedKey = Uint8Array.from(bytes);
      const refusal = sealerOf(key).verify('mer_1', { version: 1, wrappedKey });
      await expect(refusal).rejects.toMatchObject(wrong);
    },
  );
});

describe('the check at the start', () => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { connectionString } = database;
    db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 2 });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  async function addMerchant(merchantId: string, encryptionKey: Uint8Array): Promise<void> {
    const { version, wrappedKey } = await sealerOf(encryptionKey).newDataKey(merchantId, 1);
    await db.pool.query(
      `insert into merchants values ($1, 'x', 'x', 'x', 'fixed', 1, 1, '{1}', false, now(), now())`,
      [merchantId],
    );
    await db.pool.query('insert into data_keys values ($1, $2, $3, now())', [
      merchantId,
      version,
      wrappedKey,
    ]);
  }

  it('passes on an empty database and with the right key, and finds one wrong key of many', async () => {
    await expect(verifyEncryptionKey({ db, sealer: sealerOf(key) })).resolves.toBeUndefined();
    for (let index = 0; index < 20; index += 1) await addMerchant(`mer_${index}`, key);
    await expect(verifyEncryptionKey({ db, sealer: sealerOf(key) })).resolves.toBeUndefined();
    const other = randomBytes(32);
    await expect(verifyEncryptionKey({ db, sealer: sealerOf(other) })).rejects.toMatchObject(wrong);
    await addMerchant('mer_99', other);
    await expect(verifyEncryptionKey({ db, sealer: sealerOf(key) })).rejects.toMatchObject(wrong);
  });
});
