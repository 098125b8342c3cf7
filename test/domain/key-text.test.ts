import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellOfPrefix,
  hintOf,
  hintText,
  isKeyText,
  newKeyText,
  newSigningSecret,
} from '../../src/domain/key-text.ts';

const random = { bytes: (count: number) => randomBytes(count) };
const zeros = { bytes: (count: number) => new Uint8Array(count) };
const prefixes = ['rk_test', 'rk_live'] as const;
const characters = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz');

/** Keys of given bytes, so that a failure can be run again. */
const keys = fc
  .tuple(fc.uint8Array({ minLength: 24, maxLength: 24 }), fc.constantFrom(...prefixes))
  .map(([bytes, prefix]) => newKeyText({ bytes: () => bytes }, prefix));

describe('a key', () => {
  it('has its prefix, 39 characters for 192 bits and 6 of checksum', () => {
    expect(newKeyText(random, 'rk_live')).toMatch(/^rk_live_[0-9a-hjkmnp-tv-z]{45}$/);
    expect(newKeyText(random, 'dp')).toMatch(/^dp_[0-9a-hjkmnp-tv-z]{45}$/);
  });

  it('names its cell, if it is of one', () => {
    const key = newKeyText(random, 'rk_live', 'eu_west_1');
    expect(key).toMatch(/^rk_live_eu_west_1_[0-9a-hjkmnp-tv-z]{45}$/);
    expect(isKeyText(key, prefixes)).toBe(true);
    for (const other of ['eu_west_2', 'eu_west_', '', '1eu', 'EU', 'a'.repeat(31)]) {
      expect(isKeyText(key.replace('eu_west_1', other), prefixes), other).toBe(false);
    }
    expect(hintOf(key).prefix).toMatch(/^rk_live_eu_west_1_..$/);
    expect(cellOfPrefix(hintOf(key).prefix)).toBe('eu_west_1');
    for (const prefix of ['rk_test', 'rk_live', 'dp'] as const) {
      expect(cellOfPrefix(hintOf(newKeyText(random, prefix)).prefix)).toBe('');
    }
  });

  it('keeps its checksum for ever: keys that were issued stay valid', () => {
    expect(newKeyText(zeros, 'rk_test')).toBe(`rk_test_${'0'.repeat(39)}2mv0tm`);
  });

  it('is recognised', () => {
    fc.assert(fc.property(keys, (key) => isKeyText(key, prefixes)));
  });

  it('is refused with any one character mistyped', () => {
    fc.assert(
      fc.property(keys, fc.nat(44), characters, (key, place, typed) => {
        const at = key.length - 45 + place;
        fc.pre(key[at] !== typed);
        return !isKeyText(key.slice(0, at) + typed + key.slice(at + 1), prefixes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused with two neighbours swapped', () => {
    fc.assert(
      fc.property(keys, fc.nat(43), (key, place) => {
        const at = key.length - 45 + place;
        fc.pre(key[at] !== key[at + 1]);
        const swapped = `${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`;
        return !isKeyText(swapped, prefixes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused cut, prolonged, in upper case, under another prefix or as any other text', () => {
    const key = newKeyText(random, 'rk_test');
    const others = [
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace('rk_test', 'rk_live'),
      key.replace('rk_test', 'dp'),
      '',
      'rk_test_',
    ];
    for (const text of others) expect(isKeyText(text, prefixes), text).toBe(false);
    expect(isKeyText(key, ['rk_live'])).toBe(false);
    fc.assert(fc.property(fc.string(), (text) => !isKeyText(text, prefixes)));
  });
});

describe('a signing secret', () => {
  it('is whsec_ and the base64 of 32 bytes', () => {
    const secret = newSigningSecret(random);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newSigningSecret(random)).not.toBe(secret);
  });
});

describe('a hint', () => {
  it('shows the prefix, two characters and the last four', () => {
    const hint = hintOf('rk_test_3fzzzzzzzzzz9x2c');
    expect(hint).toEqual({ prefix: 'rk_test_3f', lastFour: '9x2c' });
    expect(hintText(hint)).toBe('rk_test_3f…9x2c');
    expect(hintText(hintOf('whsec_AB+/////efg='))).toBe('whsec_AB…efg=');
  });
});
