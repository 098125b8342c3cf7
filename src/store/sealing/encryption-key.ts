import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { HashCredential } from '../../recovery/admin/ports.ts';

const keyBytes = 32;

/**
 * What keys are derived for; each use has its own, so that none weakens another. A use keeps its
 * text for ever: a changed one would orphan everything that was written under it.
 */
export type KeyUse = 'wrap data keys, v1' | 'name the wrapping key, v1' | 'hash credentials, v1';

/** A 32-byte key for one use, by HKDF-SHA256 (RFC 5869) from the encryption key. */
export function deriveKey(encryptionKey: Uint8Array, use: KeyUse): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', encryptionKey, '', `recoup: ${use}`, keyBytes));
}

/**
 * HMAC-SHA256 under a pepper that only an encryption key opens: a copy of the database alone does
 * not let anybody test guesses. Credentials are random, so no slow hash is needed; they are found by
 * their hash, so no comparison can leak how much of a guess was right.
 */
export function credentialHasher(pepper: Uint8Array): HashCredential {
  // Imported once: with the bare bytes, every call would import them anew, for ten times the cost.
  const key = createSecretKey(pepper);
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}
