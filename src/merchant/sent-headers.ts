import { secondMs } from '../domain/clock.ts';
import type { MerchantAuth } from '../domain/merchant.ts';
import type { DeliveryDetail } from '../recovery/reports/webhooks.ts';
import { deduplicationId } from './signature.ts';

const masked = '••••••••';
const anew = '(made anew for each send)';

/** The headers of an event's send, for people to look at: nothing in them signs or opens anything. */
export function sentHeaders(input: {
  readonly eventId: string;
  readonly type: string;
  readonly sentAt: Date | undefined;
  readonly authType: MerchantAuth['type'];
  /** Of the endpoint's own. */
  readonly headerNames: readonly string[];
  readonly signatureValidityMs: number;
}): DeliveryDetail['headers'] {
  const { eventId, type, sentAt, authType, headerNames, signatureValidityMs } = input;
  const sentAtUnix = sentAt && Math.floor(sentAt.getTime() / secondMs);
  const expiration = sentAtUnix && sentAtUnix + Math.floor(signatureValidityMs / secondMs);
  const auth = {
    none: [],
    api_key: [{ name: 'x-api-key', value: masked }],
    basic: [{ name: 'Authorization', value: `Basic ${masked}` }],
  }[authType];
  return [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'X-Service-Webhook-Type', value: type },
    { name: 'X-Service-Webhook-Deduplication-ID', value: deduplicationId(eventId) },
    { name: 'X-Service-Webhook-Expiration', value: expiration?.toString() ?? anew },
    { name: 'X-Service-Webhook-Signature', value: anew },
    { name: 'webhook-id', value: eventId },
    { name: 'webhook-timestamp', value: anew },
    { name: 'webhook-signature', value: anew },
    ...auth,
    ...headerNames.map((name) => ({ name, value: masked })),
  ];
}
