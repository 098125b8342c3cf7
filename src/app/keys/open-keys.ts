import type { Random } from '../../domain/random.ts';
import { awsKmsKeyProvider } from '../../store/sealing/aws-kms.ts';
import type { LocalKey } from '../../store/sealing/credential-pepper.ts';
import { type KeyProvider, localKeyProvider } from '../../store/sealing/key-provider.ts';
import { createKeyRing, type KeyRing } from '../../store/sealing/key-ring.ts';
import type { WrappingKey } from '../../store/sealing/wrapping-key.ts';

/** How long AWS may take to be reached, and to answer; the SDK tries three times. */
const connectMs = 2_000;
const answerMs = 5_000;

export interface OpenedKeys {
  readonly keys: KeyRing;
  /** Those of ours among them, the present one first. */
  readonly localKeys: readonly LocalKey[];
}

/** The wrapping keys of the settings. */
export async function openKeys(
  deps: { readonly random: Random },
  input: { readonly current: WrappingKey; readonly others: readonly WrappingKey[] },
): Promise<OpenedKeys> {
  const all = [input.current, ...input.others];
  const opened = await Promise.all(all.map((key) => open(deps, key)));
  const [current, ...others] = opened as [KeyProvider, ...KeyProvider[]];
  const localKeys = all.flatMap((key, index) => {
    const keyId = opened[index]?.keyId;
    return key.kind === 'local' && keyId !== undefined ? [{ keyId, bytes: key.bytes }] : [];
  });
  return { keys: createKeyRing(current, others), localKeys };
}

async function open(deps: { readonly random: Random }, key: WrappingKey): Promise<KeyProvider> {
  switch (key.kind) {
    case 'local':
      return localKeyProvider(deps, key.bytes);
    case 'aws_kms': {
      // Only whoever uses it pays for loading it.
      const sdk = await import('@aws-sdk/client-kms');
      const requestHandler = { connectionTimeout: connectMs, requestTimeout: answerMs };
      const client = new sdk.KMSClient({ region: key.region, requestHandler });
      return awsKmsKeyProvider({ client, sdk }, key.arn);
    }
  }
}
