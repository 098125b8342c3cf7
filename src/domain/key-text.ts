import { base32 } from './ids.ts';
import type { Random } from './random.ts';

/**
 * What a text that others show to us begins with. `rk_test` and `rk_live`: recovery API keys of a
 * sandbox and of a live service; `dp`: passwords of the disputes API; `op_test` and `op_live`: personal
 * tokens of operators; `portal_test` and `portal_live`: links to a merchant's portal.
 */
export type KeyPrefix =
  | 'rk_test'
  | 'rk_live'
  | 'dp'
  | 'op_test'
  | 'op_live'
  | 'portal_test'
  | 'portal_live';

const keyBytes = 24;
const checksumLength = 6;
const shape =
  /^(rk_test|rk_live|dp|op_test|op_live|portal_test|portal_live)_(?:([a-z][a-z0-9_]{0,29})_)?[0-9a-hjkmnp-tv-z]{45}$/;
const hint = /^(?:rk_test|rk_live|dp)_(?:([a-z][a-z0-9_]{0,29})_)?[0-9a-hjkmnp-tv-z]{2}$/;
const signingSecretBytes = 32;
/** Characters of the secret part that a hint shows, at its beginning. */
const hintLength = 2;
const lastLength = 4;

/**
 * A new key: its prefix, 192 random bits and a checksum of both, such as `rk_test_3fz…` (45 characters).
 * That of a cell names it between the two, `rk_test_cell_1_3fz…`, so that a proxy knows where it belongs.
 */
export function newKeyText(random: Random, prefix: KeyPrefix, cell?: string): string {
  const head = cell === undefined ? prefix : `${prefix}_${cell}`;
  const body = `${head}_${base32(random.bytes(keyBytes))}`;
  return body + checksum(body);
}

/**
 * Whether `text` can be a key of ours at all. A mistyped, cut or invented one is told by its
 * checksum, without asking the database; whether a well-formed one is valid only the store knows.
 */
export function isKeyText(text: string, prefixes: readonly KeyPrefix[]): boolean {
  const prefix = shape.exec(text)?.[1];
  if (prefix === undefined || !prefixes.some((allowed) => allowed === prefix)) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The cell that a well-formed key names; empty where it names none. */
export function cellOfKey(text: string): string {
  return shape.exec(text)?.[2] ?? '';
}

/** The same of the beginning of one, as its hint has it. */
export function cellOfPrefix(prefix: string): string {
  return hint.exec(prefix)?.[1] ?? '';
}

/**
 * A new webhook signing secret: `whsec_` and the base64 of 32 random bytes, the form of the Standard
 * Webhooks specification (24 to 64 bytes).
 */
export function newSigningSecret(random: Random): string {
  return `whsec_${btoa(String.fromCharCode(...random.bytes(signingSecretBytes)))}`;
}

/** The public beginning and end of a key or secret, enough to recognise it by. */
export interface KeyHint {
  /** All up to the secret part, and two characters of that. */
  readonly prefix: string;
  readonly lastFour: string;
}

/** The hint of a whole key or secret, such as `rk_test_3f` and `9x2c`. */
export function hintOf(text: string): KeyHint {
  const secretAt = text.lastIndexOf('_') + 1;
  return { prefix: text.slice(0, secretAt + hintLength), lastFour: text.slice(-lastLength) };
}

/** A hint as people read it, such as `rk_test_3f…9x2c`. */
export function hintText(hint: KeyHint): string {
  return `${hint.prefix}…${hint.lastFour}`;
}

/** Thirty bits of the CRC-32 (ISO 3309) of an ASCII text, in base 32. */
function checksum(text: string): string {
  const crc = crc32(text);
  const bytes = Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc);
  return base32(bytes).slice(0, checksumLength);
}

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}
