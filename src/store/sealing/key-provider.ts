import { AppError } from '../../domain/errors.ts';
import type { Random } from '../../domain/random.ts';
import { decrypt, encrypt } from './cipher.ts';
import { deriveKey } from './encryption-key.ts';

/**
 * Who wraps the merchants' data keys: a key of our own, or a key management service, which never
 * shows its key. `context` binds a data key to its place and must be the same at both calls.
 */
export interface KeyProvider {
  /** Names the wrapping key, 1 to 64 ASCII characters; it is kept beside what the key wrapped. */
  readonly keyId: string;
  /** At most 384 bytes for a 32-byte key. */
  wrap(plain: Uint8Array, context: string): Promise<Uint8Array>;
  /** @throws AppError encryption_key_wrong where the key named `keyId` is not at hand, or another */
  unwrap(wrapped: Uint8Array, context: string, keyId: string): Promise<Uint8Array>;
}

const keyIdBytes = 8;

/** Wraps under a key derived from ENCRYPTION_KEY. */
export function localKeyProvider(
  deps: { readonly random: Random },
  encryptionKey: Uint8Array,
): KeyProvider {
  const key = deriveKey(encryptionKey, 'wrap data keys, v1');
  const name = deriveKey(encryptionKey, 'name the wrapping key, v1').subarray(0, keyIdBytes);
  const keyId = `local-${Buffer.from(name).toString('hex')}`;
  return {
    keyId,
    async wrap(plain, context) {
      return encrypt(deps.random, { key, context, plain });
    },
    async unwrap(wrapped, context, wrappedBy) {
      const plain = wrappedBy === keyId ? decrypt({ key, context, sealed: wrapped }) : undefined;
      if (plain === undefined) throw new AppError('encryption_key_wrong');
      return plain;
    },
  };
}
