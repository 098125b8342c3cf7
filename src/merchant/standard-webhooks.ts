import { createHmac } from 'node:crypto';
import { invariant } from '../domain/errors.ts';

export interface StandardWebhookInput {
  /** The id of the event, the same in every delivery of it. */
  readonly eventId: string;
  /** When this delivery is sent, in whole seconds since 1970. */
  readonly sentAtUnix: number;
  readonly body: string | Uint8Array;
  /** Every secret now valid: one signature for each, so that receivers can change over. */
  readonly secrets: readonly string[];
}

/**
 * The headers of Standard Webhooks 1.0.0, which also sign the id and the time of sending. Libraries of
 * the standard take the secret as it was issued, `whsec_` and the base64 of the key; a second signature
 * by the UTF-8 bytes of the whole text is for receivers from before the first was there.
 */
export function standardWebhookHeaders(input: StandardWebhookInput): Record<string, string> {
  const { eventId, sentAtUnix, body, secrets } = input;
  // The signed text is joined by dots, so one in the id would move its borders.
  invariant(!eventId.includes('.'), 'an event id has no dot');
  const signatures = secrets.flatMap(keysOf).map((key) => {
    const hmac = createHmac('sha256', key).update(`${eventId}.${sentAtUnix}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': sentAtUnix.toString(),
    'webhook-signature': signatures.join(' '),
  };
}

/** The keys of a secret: what its base64 stands for, where it has that form, and its own text. */
function keysOf(secret: string): readonly (string | Uint8Array)[] {
  const base64 = /^whsec_([A-Za-z0-9+/]{4,}={0,2})$/.exec(secret)?.[1];
  return base64 === undefined ? [secret] : [Buffer.from(base64, 'base64'), secret];
}
