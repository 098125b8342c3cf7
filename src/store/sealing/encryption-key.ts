import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import type { HashCredential } from '../../recovery/admin/ports.ts';

const keyBytes = 32;
const hexShape = /^[0-9a-f]{64}$/i;
const base64Shape = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * The 32 bytes of ENCRYPTION_KEY, written as 64 hexadecimal digits or as base64 (either alphabet).
 *
 * @throws AppError config_invalid; the text itself is never part of it
 */
export function parseEncryptionKey(text: string): Uint8Array {
  const trimmed = text.trim();
  if (hexShape.test(trimmed)) return Buffer.from(trimmed, 'hex');
  const bytes = base64Shape.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
  if (bytes?.length === keyBytes) return bytes;
  throw new AppError(
    'config_invalid',
    'ENCRYPTION_KEY must be 32 bytes, as 64 hexadecimal digits or as base64.',
  );
}

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
 * HMAC-SHA256 under a pepper that only the encryption key gives: a copy of the database alone does
 * not let anybody test guesses. Credentials are random, so no slow hash is needed; they are found by
 * their hash, so no comparison can leak how much of a guess was right.
 */
export function credentialHasher(encryptionKey: Uint8Array): HashCredential {
  // Imported once: with the bare bytes, every call would import them anew, for ten times the cost.
  const pepper = createSecretKey(deriveKey(encryptionKey, 'hash credentials, v1'));
  return (text) => createHmac('sha256', pepper).update(text).digest('hex');
}
