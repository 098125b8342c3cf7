import { secondMs } from '../domain/clock.ts';
import { invariant } from '../domain/errors.ts';
import { deduplicationId, signWebhook } from './signature.ts';
import { standardWebhookHeaders } from './standard-webhooks.ts';

/** Both signatures of what is sent, with the time that each counts from. */
export function signedHeaders(input: {
  readonly eventId: string;
  readonly type: string;
  readonly body: Uint8Array;
  /** Every secret now valid, the newest first. */
  readonly secrets: readonly string[];
  readonly sentAt: Date;
  /** The real time, also where the service's clock was moved. */
  readonly realAt: Date;
  /** How long the signature is valid from the moment of sending, in whole seconds. */
  readonly validityMs: number;
}): Record<string, string> {
  const { eventId, type, body, secrets, sentAt, realAt, validityMs } = input;
  // The oldest: while a secret is being changed, receivers know it already and the new one not yet.
  const secret = secrets.at(-1);
  invariant(secret !== undefined, 'what is signed has a secret');
  const expiresAtUnix = unixSeconds(sentAt) + Math.floor(validityMs / secondMs);
  return {
    'X-Service-Webhook-Type': type,
    'X-Service-Webhook-Expiration': expiresAtUnix.toString(),
    'X-Service-Webhook-Signature': signWebhook({ secret, body, expiresAtUnix }),
    'X-Service-Webhook-Deduplication-ID': deduplicationId(eventId),
    // Receivers compare this time with their own clocks, which no sandbox moves.
    ...standardWebhookHeaders({ eventId, sentAtUnix: unixSeconds(realAt), body, secrets }),
  };
}

function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / secondMs);
}
