import { createHash, timingSafeEqual } from 'node:crypto';

/** Hashes of one length are compared, so that the time taken tells nothing about the token. */
export function sameToken(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
