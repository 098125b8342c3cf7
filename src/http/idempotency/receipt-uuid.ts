import { createHash } from 'node:crypto';
import { uuidFrom } from '../../domain/ids.ts';
import type { IdempotencyKeyOf } from '../../recovery/idempotency.ts';

/** What tells two requests under one key apart: the path as it came, and the body's bytes. */
export function fingerprintOf(url: string, body: Buffer): Buffer {
  return createHash('sha256').update(url).update('\n').update(body).digest();
}

/**
 * The receipt's UUID of a request under an Idempotency-Key. The same request always has the same
 * one, so that a repetition after a crash, or after the key was forgotten, finds the first receipt.
 * The body counts, so that a forgotten key that comes back with another one is another request.
 */
export function receiptUuid(key: IdempotencyKeyOf, fingerprint: Buffer): string {
  const { merchantId, route, key: text } = key;
  const parts = JSON.stringify([merchantId, route, text, fingerprint.toString('hex')]);
  return uuidFrom(createHash('sha256').update(parts).digest());
}
