import { hourMs, minuteMs } from '../../domain/clock.ts';
import { limits } from '../../domain/limits.ts';
import type { PspWebhook, WebhookReading } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, textOf } from '../answer-fields.ts';
import type { BraintreeClient } from './client.ts';
import { type Parsed, parseNotification, subjectId } from './notification.ts';

/**
 * How old a notification may be. Braintree sends one again each hour for up to 24 hours, with the
 * time of the first in what it signed: a window of minutes would refuse every redelivery. Within
 * the window the id of the event makes a repetition harmless.
 */
const oldestMs = 25 * hourMs;
/** How far Braintree's clock may be ahead of ours. */
const aheadMs = 5 * minuteMs;

/** Verifies a notification by the SDK, and reads what it means. */
export async function readBraintreeWebhook(
  deps: { readonly client: BraintreeClient },
  delivery: PspWebhook,
): Promise<WebhookReading> {
  const form = formOf(delivery);
  if (typeof form === 'string') return { kind: 'malformed', reason: form };
  const signature = form.get('bt_signature');
  const payload = form.get('bt_payload');
  if (!signature || !payload) {
    return { kind: 'unverified', reason: 'The form has no bt_signature or no bt_payload.' };
  }
  const parts = await partsOfNotification(deps.client, signature, payload);
  if ('reason' in parts) return parts;
  const { notification, kind, occurredAt } = parts;
  const ageMs = delivery.receivedAt.getTime() - occurredAt.getTime();
  if (ageMs > oldestMs || ageMs < -aheadMs) {
    return { kind: 'unverified', reason: 'The notification is too old, or from the future.' };
  }
  const parsed: Parsed = await parseNotification(deps, { notification, kind, occurredAt });
  if (parsed.kind === 'unavailable') return parsed;
  const eventId = [kind, subjectId(notification) ?? '', occurredAt.toISOString()].join('|');
  const event = { eventId: eventId.slice(0, limits.idLength), type: kind, occurredAt, parsed };
  return { kind: 'read', events: [event] };
}

/** The form that was posted, or why there is none. */
function formOf({ rawBody, headers }: PspWebhook): URLSearchParams | string {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return 'The body is encoded.';
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    return 'The body is not UTF-8.';
  }
}

interface NotificationParts {
  readonly notification: Fields;
  readonly kind: string;
  readonly occurredAt: Date;
}

async function partsOfNotification(
  client: BraintreeClient,
  signature: string,
  payload: string,
): Promise<NotificationParts | Extract<WebhookReading, { kind: 'unverified' | 'malformed' }>> {
  let notification: Fields | undefined;
  try {
    notification = fieldsOf(await client.parseNotification(signature, payload));
  } catch (error) {
    return error instanceof Error && error.name === 'invalidSignatureError'
      ? { kind: 'unverified', reason: 'No signature of this account is valid.' }
      : { kind: 'malformed', reason: 'The signed payload is not a notification.' };
  }
  const kind = textOf(notification?.kind)?.slice(0, 100);
  const occurredAt = new Date(textOf(notification?.timestamp) ?? Number.NaN);
  if (notification === undefined || kind === undefined || Number.isNaN(occurredAt.getTime())) {
    return { kind: 'malformed', reason: 'The signed payload has no kind or no timestamp.' };
  }
  return { notification, kind, occurredAt };
}
