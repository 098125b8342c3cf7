import { deduplicationId, signWebhook } from '../../src/merchant/signature.ts';
import { standardWebhookHeaders } from '../../src/merchant/standard-webhooks.ts';

export interface SignedWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const webhookSecret = 'signing-secret-of-the-first-endpoint';

/** A webhook as the service sends it, signed by the code that signs the real ones. */
export function signedWebhook(
  options: {
    readonly data?: object;
    readonly type?: string;
    readonly eventId?: string;
    /** The oldest first. */
    readonly secrets?: readonly string[];
    readonly sentAtMs?: number;
    readonly validForSeconds?: number;
  } = {},
): SignedWebhook {
  const { type = 'retry_result', eventId = 'evt_1', secrets = [webhookSecret] } = options;
  const body = JSON.stringify(options.data ?? { invoice_id: 'in_1', success: true });
  const sentAtUnix = Math.floor((options.sentAtMs ?? Date.now()) / 1000);
  const expiresAtUnix = sentAtUnix + (options.validForSeconds ?? 300);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-webhook-type': type,
      'x-service-webhook-expiration': expiresAtUnix.toString(),
      'x-service-webhook-signature': signWebhook({
        secret: secrets[0] ?? '',
        body,
        expiresAtUnix,
      }),
      'x-service-webhook-deduplication-id': deduplicationId(eventId),
      ...standardWebhookHeaders({ eventId, sentAtUnix, body, secrets }),
    },
  };
}

/** The headers without those whose names begin so. */
export function without(
  headers: Readonly<Record<string, string>>,
  prefix: string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(prefix)));
}
