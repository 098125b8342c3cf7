import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  credentialHasher,
  deriveKey,
  parseEncryptionKey,
} from '../../../src/store/sealing/encryption-key.ts';

const key = randomBytes(32);

describe('ENCRYPTION_KEY', () => {
  it('is read from hexadecimal and from both alphabets of base64', () => {
    const texts = [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      key.toString('base64url'),
      ` ${key.toString('base64')}\n`,
    ];
    for (const text of texts) expect(Buffer.from(parseEncryptionKey(text))).toEqual(key);
  });

  it.each([
    '',
    'secret-canary',
    'ab'.repeat(31),
    'ab'.repeat(33),
    'zz'.repeat(32),
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    `${'A'.repeat(42)}*=`,
  ])('is refused as %j, and not repeated in the refusal', (text) => {
    let refusal: unknown;
    try {
      parseEncryptionKey(text);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: 'config_invalid' });
    if (text !== '') expect(String(refusal)).not.toContain(text);
  });
});

describe('a derived key', () => {
  it('is HKDF-SHA256, and never changes: what is stored depends on it', () => {
    const fixed = Buffer.alloc(32, 7);
    const derived = deriveKey(fixed, 'hash credentials, v1');
    const info = 'recoup: hash credentials, v1';
    expect(derived).toEqual(new Uint8Array(hkdfSync('sha256', fixed, '', info, 32)));
    expect(Buffer.from(derived).toString('hex')).toBe(
      'c33acaca3d6d52cbd710bb9fa477a19cab954454d885c7135862f93b1b0a9dc7',
    );
    expect(deriveKey(fixed, 'wrap data keys, v1')).not.toEqual(derived);
  });
});

describe('the hash of a credential', () => {
  it('is an HMAC that only the encryption key gives', () => {
    const pepper = deriveKey(key, 'hash credentials, v1');
    const hash = createHmac('sha256', pepper).update('rk_test_x').digest('hex');
    expect(credentialHasher(key)('rk_test_x')).toBe(hash);
    expect(credentialHasher(randomBytes(32))('rk_test_x')).not.toBe(hash);
  });
});
