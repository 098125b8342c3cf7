import { createHash, timingSafeEqual } from 'node:crypto';
import { secondMs } from '../domain/clock.ts';
import { signWebhook } from './signature.ts';

/** A received webhook: its raw bytes and the two headers that protect them. */
export interface ReceivedWebhook {
  /** Every secret that may have signed it; more than one while secrets are rotated. */
  readonly secrets: readonly string[];
  readonly body: Uint8Array;
  readonly expiration: string;
  readonly signature: string;
  readonly now: Date;
}

/** Why a webhook is not to be believed, as a receiver judges it; undefined for one that is. */
export function webhookFault(received: ReceivedWebhook): string | undefined {
  const { secrets, body, expiration, signature, now } = received;
  if (!/^\d{1,12}$/.test(expiration)) return 'Missing or invalid expiration';
  const expiresAtUnix = Number(expiration);
  const isSigned = secrets.some((secret) =>
    isSameText(signature, signWebhook({ secret, body, expiresAtUnix })),
  );
  if (!isSigned) return 'Missing or invalid signature';
  return now.getTime() > expiresAtUnix * secondMs ? 'The signature has expired' : undefined;
}

/** Compares in constant time; hashing first gives both sides one length. */
export function isSameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
