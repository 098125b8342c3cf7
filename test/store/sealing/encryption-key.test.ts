import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { credentialHasher, deriveKey } from '../../../src/store/sealing/encryption-key.ts';

const key = randomBytes(32);

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
    expect(credentialHasher(pepper)('rk_test_x')).toBe(hash);
    expect(credentialHasher(randomBytes(32))('rk_test_x')).not.toBe(hash);
  });
});
