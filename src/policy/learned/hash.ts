/**
 * A number from 0 up to, not including, 1 for a text and a salt: always the same one. FNV-1a (Fowler,
 * Noll, Vo; public domain) over UTF-16 units, then the finalizer of MurmurHash3 (Appleby, public
 * domain). For splitting traffic, not for secrets.
 */
export function unitOf(text: string, salt: string): number {
  let bits = 0x811c9dc5;
  for (const part of [salt, '/', text]) {
    for (let at = 0; at < part.length; at += 1) {
      bits = Math.imul(bits ^ part.charCodeAt(at), 0x01000193);
    }
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
