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
 * The headers of Standard Webhooks 1.0.0, which also sign the id and the time of sending. The key is
 * the UTF-8 bytes of the secret as it was issued, as for the other signature; libraries that expect
 * base64 are given `whsec_` and the base64 of those bytes.
 */
export function standardWebhookHeaders(input: StandardWebhookInput): Record<string, string> {
  const { eventId, sentAtUnix, body, secrets } = input;
  // The signed text is joined by dots, so one in the id would move its borders.
  invariant(!eventId.includes('.'), 'an event id has no dot');
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${eventId}.${sentAtUnix}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': sentAtUnix.toString(),
    'webhook-signature': signatures.join(' '),
  };
}
