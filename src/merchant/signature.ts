import { createHmac, hash } from 'node:crypto';

export interface SignatureInput {
  /** The signing secret as it was issued; its UTF-8 bytes are the key. */
  readonly secret: string;
  /** The raw body of the request; a text stands for its UTF-8 bytes. */
  readonly body: string | Uint8Array;
  /** When the signature expires, in whole seconds since 1970: X-Service-Webhook-Expiration. */
  readonly expiresAtUnix: number;
}

/**
 * X-Service-Webhook-Signature: HMAC-SHA256 over the raw body followed by the decimal text of the
 * expiration, in 64 lower-case hexadecimal characters.
 */
export function signWebhook({ secret, body, expiresAtUnix }: SignatureInput): string {
  return createHmac('sha256', secret).update(body).update(expiresAtUnix.toString()).digest('hex');
}

/** X-Service-Webhook-Deduplication-ID: MD5 of the event id in hex, a name and not a protection. */
export function deduplicationId(eventId: string): string {
  return hash('md5', eventId, 'hex');
}
