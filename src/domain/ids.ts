import type { Random } from './random.ts';

/** What an id names. The prefix stands before the first underscore of every id that we mint. */
export type IdPrefix =
  | 'mer'
  | 'att'
  | 'evt'
  | 'cred'
  | 'ept'
  | 'txn'
  | 'sub'
  | 'dis'
  | 'dnt'
  | 'mod'
  | 'wif'
  | 'inc'
  | 'chk'
  | 'rec'
  | 'rot'
  | 'rpl'
  | 'blk'
  | 'op'
  | 'tok'
  | 'alc'
  | 'alr'
  | 'als'
  | 'alm'
  | 'svw'
  | 'plk'
  | 'mov'
  | 'cmg'
  | 'fil';

// Crockford's base 32 without I, L, O and U: safe to read aloud, and to put into a URL.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idBytes = 15;

/** A new id: the prefix and 120 random bits in 24 characters, such as `att_3m9…`. */
export function newId(random: Random, prefix: IdPrefix): string {
  return `${prefix}_${base32(random.bytes(idBytes))}`;
}

/**
 * A new merchant's id. In a cell it names that as well, `mer_cell_1_3m9…`: it is the user name of the disputes
 * API and stands in the addresses that PSPs send webhooks to, and a proxy in front of several cells reads it there.
 */
export function newMerchantId(random: Random, cell: string | undefined): string {
  const id = newId(random, 'mer');
  return cell === undefined ? id : id.replace('_', `_${cell}_`);
}

/** Crockford base 32 of `bytes`, five bits a character, the last one padded with zero bits. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(buffer << (5 - bits)) & 31];
}

/** A version 4 UUID (RFC 9562) from 16 bytes. */
export function uuidFrom(bytes: Uint8Array): string {
  const hex = Array.from(bytes.subarray(0, 16), (byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    if (index === 8) return (byte & 0x3f) | 0x80;
    return byte;
  })
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
