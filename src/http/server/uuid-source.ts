import type { Random } from '../../domain/random.ts';

const uuidBytes = 16;
/** UUIDs per call of the random source: 16 bytes at a time cost 3.3 us each, in bulk 0.03 us. */
const perRefill = 256;

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Random version 4 UUIDs (RFC 9562), cheap enough for two on every request. */
export function uuidSource(random: Random): () => string {
  let bytes = new Uint8Array(0);
  let next = 0;
  return () => {
    if (next === bytes.length) {
      bytes = Uint8Array.from(random.bytes(uuidBytes * perRefill));
      next = 0;
    }
    const start = next;
    next += uuidBytes;
    return uuidText(bytes, start);
  };
}

function uuidText(bytes: Uint8Array, start: number): string {
  let text = '';
  for (let index = 0; index < uuidBytes; index += 1) {
    const byte = bytes[start + index] ?? 0;
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    if (index === 6) text += hex[(byte & 0x0f) | 0x40];
    else if (index === 8) text += hex[(byte & 0x3f) | 0x80];
    else text += hex[byte];
  }
  return text;
}
