import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { Random } from '../../domain/random.ts';

/** Bytes of the nonce (NIST SP 800-38D, 8.2.2: 96 random bits) and of the tag. */
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** 32 bytes. As an object it is imported once: bare bytes are at each use, for five times the cost. */
export type CipherKey = Uint8Array | KeyObject;

/** AES-256-GCM: nonce, ciphertext, tag. `context` is authenticated with it and must be known again. */
export function encrypt(
  random: Random,
  input: { readonly key: CipherKey; readonly context: string; readonly plain: Uint8Array },
): Uint8Array {
  const nonce = random.bytes(nonceBytes);
  const cipher = createCipheriv(algorithm, input.key, nonce);
  cipher.setAAD(Buffer.from(input.context));
  const body = Buffer.concat([cipher.update(input.plain), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]);
}

/** The plain bytes, or undefined where the key, the context or a single bit is another. */
export function decrypt(input: {
  readonly key: CipherKey;
  readonly context: string;
  readonly sealed: Uint8Array;
}): Uint8Array | undefined {
  const { sealed } = input;
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const options = { authTagLength: tagBytes };
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, input.key, nonce, options);
  decipher.setAAD(Buffer.from(input.context));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const body = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([body, decipher.final()]);
  } catch {
    return undefined;
  }
}
