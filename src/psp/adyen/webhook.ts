import type { PspWebhook, WebhookReading } from '../../recovery/psp-ports.ts';
import { readJsonWebhook } from '../read-json-webhook.ts';
import type { AdyenAccount } from './credentials.ts';
import { readNotifications } from './notifications/notification.ts';
import { readTokenEvent } from './notifications/token-event.ts';

/**
 * Reads a webhook of Adyen: a standard one, with a signature in each of its items, or one of the
 * tokens' life cycle, with a signature of the whole body in its header. Neither signs a time, so an
 * old one cannot be told from a new one: its event ids, which are the same each time, do that.
 */
export function readAdyenWebhook(account: AdyenAccount, delivery: PspWebhook): WebhookReading {
  const read = readJsonWebhook(delivery);
  if (read.kind === 'malformed') return read;
  if (account.hmacKeys.length === 0) {
    return { kind: 'unverified', reason: 'This connection has no hmac_key.' };
  }
  return read.body.notificationItems === undefined
    ? readTokenEvent(account, delivery, read)
    : readNotifications(account, read.body.notificationItems, delivery.receivedAt);
}
