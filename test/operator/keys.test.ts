import { randomBytes } from 'node:crypto';
import * as sdk from '@aws-sdk/client-kms';
import { expect, it } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import { rotateKeys } from '../../src/jobs/background/rotate-keys.ts';
import { awsKmsKeyProvider } from '../../src/store/sealing/aws-kms.ts';
import { openCredentialPepper } from '../../src/store/sealing/credential-pepper.ts';
import { deriveKey } from '../../src/store/sealing/encryption-key.ts';
import { localKeyProvider } from '../../src/store/sealing/key-provider.ts';
import { createKeyRing, type KeyRing } from '../../src/store/sealing/key-ring.ts';
import { createRotationStore } from '../../src/store/sealing/rotation-store.ts';
import { createSealer } from '../../src/store/sealing/sealer.ts';
import { fakeKms } from '../kits/fake-kms.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';

const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
const first = randomBytes(32);
const old = localKeyProvider({ random }, first);
const next = localKeyProvider({ random }, randomBytes(32));
const both = createKeyRing(next, [old]);
const at = new Date('2026-03-02T00:00:00Z');

/** The worker's job, of a process with these keys. */
function workerOf({ db }: OperatorService, keys: KeyRing, signal = new AbortController().signal) {
  const sealer = createSealer({ keys, random });
  const job = rotateKeys(createRotationStore({ db, keys, sealer }));
  return () => job.run({}, { at, signal, progress: () => undefined });
}

/** Merchants of the old key, in a service that has this ring now. */
async function merchantsOfOld(count: number, keys: KeyRing) {
  const service = await operatorService({}, { keys });
  const { db, merchant } = service;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await merchant());
  // A rotation is later than what was there.
  service.clock.at = new Date(service.clock.at.getTime() + 1_000);
  const before = createSealer({ keys: createKeyRing(old, [keys]), random });
  const { rows } = await db.pool.query('select merchant_id, version, wrapped_key from data_keys');
  for (const row of rows) {
    const { wrappedKey } = await before.rewrap(row.merchant_id, {
      version: row.version,
      wrappedKey: row.wrapped_key,
    });
    await db.pool.query('update data_keys set wrapped_key = $2 where merchant_id = $1', [
      row.merchant_id,
      wrappedKey,
    ]);
  }
  return { ...service, ids };
}

it('wraps everything by the present key, and says that the other may be removed', async () => {
  const service = await merchantsOfOld(45, both);
  const { ask, db, requested, ids } = service;
  await openCredentialPepper(
    { db, keys: old, random },
    { localKeys: [{ keyId: old.keyId, bytes: first }], at },
  );
  expect((await ask('GET', '/api/keys')).json).toEqual({
    items: [
      { key_id: next.keyId, use: 'current', wraps: 0, removable: false },
      { key_id: old.keyId, use: 'other', wraps: 46, removable: false },
    ],
  });
  const begun = await ask('POST', '/api/keys/rotations');
  expect([begun.status, begun.json.state, begun.json.key_id]).toEqual([202, 'running', next.keyId]);
  expect(requested).toContainEqual({ name: 'rotation', input: begun.json.id });
  await workerOf(service, both)();
  const { json } = await ask('GET', '/api/keys');
  expect(json).toMatchObject({
    items: [
      { key_id: next.keyId, wraps: 46, removable: false },
      { key_id: old.keyId, wraps: 0, removable: true },
    ],
    rotation: { id: begun.json.id, state: 'done', rewrapped: 46, made: 0 },
  });
  // Without the old key: secrets open, and credentials hash as they did.
  const alone = createKeyRing(next, []);
  const { rows } = await db.pool.query('select merchant_id, version, wrapped_key from data_keys');
  const sealer = createSealer({ keys: alone, random });
  for (const row of rows) {
    const key = { version: row.version, wrappedKey: row.wrapped_key };
    await expect(sealer.verify(row.merchant_id, key)).resolves.toBeUndefined();
  }
  const pepper = await openCredentialPepper({ db, keys: alone, random }, { localKeys: [], at });
  expect(pepper).toEqual(Buffer.from(deriveKey(first, 'hash credentials, v1')));
  const lines = (await ask('GET', '/api/audit?action=keys.')).json.items;
  expect(lines.map((line: { action: string }) => line.action)).toEqual([
    'keys.rotated',
    'keys.rotation_begun',
  ]);
  expect(ids).toHaveLength(45);
});

it('goes on where it was cut off, and twice at once or again changes nothing more', async () => {
  const service = await merchantsOfOld(45, both);
  const { ask, db } = service;
  const first = await ask('POST', '/api/keys/rotations');
  const cut = new AbortController();
  const keys: KeyRing = {
    ...both,
    async wrap(plain, context) {
      if (context.includes('data_keys')) cut.abort(new Error('killed'));
      return both.wrap(plain, context);
    },
  };
  await expect(workerOf(service, keys, cut.signal)()).rejects.toThrow('killed');
  const half = (await ask('GET', '/api/keys')).json;
  expect(half.rotation).toMatchObject({ state: 'running', rewrapped: 20 });
  expect(half.items[1]).toMatchObject({ wraps: 25, removable: false });
  const again = await ask('POST', '/api/keys/rotations');
  expect(again.json.id).toBe(first.json.id);
  await Promise.all([workerOf(service, both)(), workerOf(service, both)()]);
  const done = (await ask('GET', '/api/keys')).json;
  expect(done.rotation).toMatchObject({ state: 'done', rewrapped: 45 });
  const kept = () => db.pool.query('select * from data_keys order by merchant_id, version');
  const before = (await kept()).rows;
  service.clock.at = new Date(service.clock.at.getTime() + 1_000);
  await ask('POST', '/api/keys/rotations');
  await workerOf(service, both)();
  expect((await kept()).rows).toEqual(before);
  expect((await ask('GET', '/api/keys')).json.rotation).toMatchObject({ rewrapped: 0 });
});

it('gives every merchant a new data key where it is asked to, and keeps the old ones', async () => {
  const service = await merchantsOfOld(25, both);
  const { ask, db, ids } = service;
  await ask('POST', '/api/keys/rotations', { new_data_keys: true });
  await workerOf(service, both)();
  const { json } = await ask('GET', '/api/keys');
  expect(json.rotation).toMatchObject({ made: 25, rewrapped: 25, new_data_keys: true });
  const { rows } = await db.pool.query(
    'select array_agg(distinct version order by version) as versions, count(*)::int from data_keys',
  );
  expect(rows).toEqual([{ versions: [1, 2], count: 50 }]);
  const [merchantId] = ids;
  await ask('POST', `/api/merchants/${merchantId}/credentials`, { kind: 'signing_secret' });
  const sealedBy = await db.pool.query(
    `select key_version from secrets where merchant_id = $1 and kind = 'signing_secret'
     order by created_at, key_version`,
    [merchantId],
  );
  expect(sealedBy.rows).toEqual([{ key_version: 1 }, { key_version: 2 }]);
});

it('is refused where something is wrapped by a key that is not at hand', async () => {
  const service = await merchantsOfOld(2, both);
  const begun = await service.ask('POST', '/api/keys/rotations');
  expect(begun.status).toBe(202);
  const worker = workerOf(service, createKeyRing(old, [next]));
  await expect(worker()).rejects.toSatisfy(
    (error) => error instanceof AppError && error.code === 'rotation_key_differs',
  );
  const stranger = localKeyProvider({ random }, randomBytes(32));
  const lost = await merchantsOfOld(1, createKeyRing(stranger, [next, old]));
  await lost.db.pool.query(`update data_keys set wrapped_key = set_byte(wrapped_key, 8, 122)`);
  const refused = await lost.ask('POST', '/api/keys/rotations');
  expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict']);
  expect(refused.json.error.message).toContain('OTHER_ENCRYPTION_KEYS');
});

it('goes to AWS KMS as to any other key', async () => {
  const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  const kms = await fakeKms([arn]);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new sdk.KMSClient({ endpoint: kms.url, region: 'eu-central-1', credentials });
  const ring = createKeyRing(awsKmsKeyProvider({ client, sdk }, arn), [old, next]);
  const service = await merchantsOfOld(21, ring);
  await service.ask('POST', '/api/keys/rotations');
  await workerOf(service, ring)();
  expect((await service.ask('GET', '/api/keys')).json.items).toMatchObject([
    { use: 'current', wraps: 21 },
    { wraps: 0, removable: true },
    { wraps: 0, removable: true },
  ]);
});
