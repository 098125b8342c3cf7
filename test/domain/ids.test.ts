import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base32, newId, newMerchantId, uuidFrom } from '../../src/domain/ids.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const bytes = fc.uint8Array({ maxLength: 40 });

/** The bytes of a base 32 text, read by big integers: another way than the one under test. */
function decoded(text: string, length: number): Uint8Array {
  let value = 0n;
  for (const character of text) value = value * 32n + BigInt(alphabet.indexOf(character));
  value >>= BigInt(text.length * 5 - length * 8);
  return Uint8Array.from({ length }, (_, index) =>
    Number((value >> BigInt(8 * (length - 1 - index))) & 255n),
  );
}

describe('base 32', () => {
  it('keeps every bit', () => {
    fc.assert(
      fc.property(bytes, (input) => {
        const text = base32(input);
        expect(text).toHaveLength(Math.ceil((input.length * 8) / 5));
        expect(decoded(text, input.length)).toEqual(input);
      }),
    );
  });

  it('uses no letter that reads like another', () => {
    const all = base32(Uint8Array.from({ length: 256 }, (_, index) => index));
    expect([...new Set(all)].sort().join('')).toBe(alphabet);
  });
});

describe('an id', () => {
  it('is its prefix and 120 bits in 24 characters', () => {
    const given: number[] = [];
    const random = {
      bytes: (count: number) => {
        given.push(count);
        return new Uint8Array(count).fill(255);
      },
    };
    expect(newId(random, 'att')).toBe(`att_${'z'.repeat(24)}`);
    expect(given).toEqual([15]);
  });

  it('differs where one bit of the randomness differs', () => {
    const sixteen = fc.uint8Array({ minLength: 15, maxLength: 15 });
    fc.assert(
      fc.property(sixteen, fc.nat(119), (input, bit) => {
        const other = Uint8Array.from(input);
        const at = bit >> 3;
        other[at] = (other[at] ?? 0) ^ (1 << (bit & 7));
        expect(newId({ bytes: () => input }, 'evt')).not.toBe(newId({ bytes: () => other }, 'evt'));
      }),
    );
  });
});

describe('a UUID', () => {
  it('is of version 4 and of the RFC variant, and keeps the other 122 bits', () => {
    const sixteen = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(sixteen, (input) => {
        const text = uuidFrom(input);
        expect(text).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        const read = Buffer.from(text.replaceAll('-', ''), 'hex');
        for (const [index, byte] of input.entries()) {
          const mask = index === 6 ? 0x0f : index === 8 ? 0x3f : 0xff;
          expect((read[index] ?? 0) & mask).toBe(byte & mask);
        }
      }),
    );
  });

  it('of the RFC example is as printed there', () => {
    const example = Buffer.from('919108f752d123205bacf847db4148a8', 'hex');
    expect(uuidFrom(example)).toBe('919108f7-52d1-4320-9bac-f847db4148a8');
  });
});

it('a merchant’s id names its cell, if it is of one', () => {
  const random = { bytes: (count: number) => new Uint8Array(count) };
  expect(newMerchantId(random, undefined)).toBe(`mer_${'0'.repeat(24)}`);
  expect(newMerchantId(random, 'cell_1')).toBe(`mer_cell_1_${'0'.repeat(24)}`);
});
