import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  LookUpResult,
  ParsedEvent,
  PspWebhook,
  WebhookReading,
} from '../../recovery/psp-ports.ts';
import { codeOf, type Fields, fieldsOf, idOf } from '../answer-fields.ts';
import { isOwnKey } from '../own-key.ts';
import { readJsonWebhook } from '../read-json-webhook.ts';
import type { WorldpayAccount } from './credentials.ts';
import { parseDispute } from './dispute.ts';
import type { SoughtPayment } from './record.ts';

/** Asks Worldpay's record what became of a payment. */
export type AskRecord = (sought: SoughtPayment) => Promise<LookUpResult>;

/** The types of events that say that the money is reserved, or on its way. */
const settling: readonly string[] = ['authorized', 'sentForSettlement'];

/**
 * Reads an event of Worldpay, signed as a whole in the header `Event-Signature`
 * (developer.worldpay.com, products/events/signature). Worldpay sends an unanswered event again for
 * a week, unchanged: there is no window for old ones, their ids tell them.
 */
export async function readWorldpayWebhook(
  account: WorldpayAccount,
  delivery: PspWebhook,
  askRecord: AskRecord,
): Promise<WebhookReading> {
  const read = readJsonWebhook(delivery);
  if (read.kind === 'malformed') return read;
  if (account.webhookSecrets.length === 0) {
    return { kind: 'unverified', reason: 'This connection has no webhook_secret.' };
  }
  if (!isSigned(account, delivery)) {
    return { kind: 'unverified', reason: 'The event has no valid signature of this account.' };
  }
  const details = fieldsOf(read.body.eventDetails);
  const eventId = idOf(read.body.eventId);
  const type = codeOf(details?.type);
  if (details === undefined || eventId === undefined || type === undefined) {
    return { kind: 'malformed', reason: 'The event has no id, no type or no details.' };
  }
  const occurredAt = timeOf(read.body.eventTimestamp) ?? delivery.receivedAt;
  const isDispute = details.classification === 'chargeback' || type === 'chargedBack';
  const parsed = isDispute
    ? parseDispute({ eventId, type, details, occurredAt })
    : await parsedOf(type, details, askRecord);
  if (parsed === 'unavailable') {
    return { kind: 'unavailable', reason: 'The record does not say why the payment was refused.' };
  }
  return { kind: 'read', events: [{ eventId, type, occurredAt, parsed }] };
}

/**
 * Several signatures may stand there, of several secrets: `1/SHA256/<hex>,2/SHA256/<hex>`. The
 * numbers of the secrets are not kept, so each secret is tried.
 */
function isSigned({ webhookSecrets }: WorldpayAccount, { rawBody, headers }: PspWebhook): boolean {
  const signatures = (headers['event-signature'] ?? '')
    .split(',')
    .map((part) => /^\s*\d+\/SHA256\/([0-9A-Fa-f]{64})\s*$/.exec(part)?.[1])
    .filter((signature) => signature !== undefined)
    .map((signature) => Buffer.from(signature, 'hex'));
  return webhookSecrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(rawBody).digest();
    return signatures.some((signature) => timingSafeEqual(signature, expected));
  });
}

async function parsedOf(
  type: string,
  details: Fields,
  askRecord: AskRecord,
): Promise<ParsedEvent | 'unavailable'> {
  const reference = idOf(details.transactionReference);
  // Events name neither customer nor method: a payment that is not ours cannot be told from them.
  const isOurs = details.classification === 'payment' && reference && isOwnKey(reference);
  if (!isOurs) return { kind: 'not_used' };
  if (settling.includes(type)) {
    const result = { kind: 'succeeded', pspTransactionId: reference } as const;
    return { kind: 'charge_settled', idempotencyKey: reference, result };
  }
  if (type !== 'refused') return { kind: 'not_used' };
  const result = await askRecord({ idempotencyKey: reference });
  return result.kind === 'declined'
    ? { kind: 'charge_settled', idempotencyKey: reference, result }
    : 'unavailable';
}

/** Worldpay writes times of UTC without a zone, such as `2018-06-13T14:18:13.407`. */
function timeOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+Z?$/.test(value)) return undefined;
  const time = new Date(value.endsWith('Z') ? value : `${value}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
