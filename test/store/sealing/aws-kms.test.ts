import * as sdk from '@aws-sdk/client-kms';
import { expect, it } from 'vitest';
import { awsKmsKeyProvider } from '../../../src/store/sealing/aws-kms.ts';
import { createKeyRing } from '../../../src/store/sealing/key-ring.ts';
import { createSealer } from '../../../src/store/sealing/sealer.ts';
import { fakeKms } from '../../kits/fake-kms.ts';
import { random } from '../../recovery/admin/admin-world.ts';

const id = '1234abcd-12ab-34cd-56ef-1234567890ab';
const arn = `arn:aws:kms:eu-central-1:111122223333:key/${id}`;
const wrong = { code: 'encryption_key_wrong' };

async function world() {
  const kms = await fakeKms([arn]);
  const client = new sdk.KMSClient({
    endpoint: kms.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  const keys = createKeyRing(awsKmsKeyProvider({ client, sdk }, arn), []);
  return { kms, keys, open: () => createSealer({ keys, random }) };
}

it('wraps data keys at AWS KMS, for their own place, and asks once for each', async () => {
  const { kms, keys, open } = await world();
  expect(keys.keyId).toBe(`aws-${id}`);
  const place = { merchantId: 'mer_1', kind: 'merchant_auth', name: 'basic' } as const;
  const sealer = open();
  const dataKey = await sealer.newDataKey('mer_1', 1);
  expect(dataKey.wrappedKey.length).toBeLessThan(512);
  const sealed = await sealer.seal(place, dataKey, 'secret');
  const other = open();
  expect(await other.open(place, dataKey, sealed)).toBe('secret');
  expect(await other.open(place, dataKey, sealed)).toBe('secret');
  const context = JSON.stringify({ recoup: JSON.stringify(['data_keys', 'mer_1', 1]) });
  // The sealer that made the key asks for it too.
  expect(kms.calls).toEqual([
    { action: 'Encrypt', context },
    { action: 'Decrypt', context },
    { action: 'Decrypt', context },
  ]);
  await expect(open().verify('mer_2', dataKey)).rejects.toMatchObject(wrong);
});

it('says so when AWS refuses or does not answer, and nothing of what was asked', async () => {
  const { kms, open } = await world();
  const dataKey = await open().newDataKey('mer_1', 1);
  kms.goDown(true);
  await expect(open().verify('mer_1', dataKey)).rejects.toMatchObject({
    code: 'key_service_failed',
    detail: 'AWS KMS did not answer with a key (KMSInternalException).',
  });
  kms.goDown(false);
  await expect(open().verify('mer_1', dataKey)).resolves.toBeUndefined();
});
