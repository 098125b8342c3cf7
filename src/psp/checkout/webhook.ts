import { createHmac, timingSafeEqual } from 'node:crypto';
import { present } from '../../domain/present.ts';
import type { ParsedEvent, PspWebhook, WebhookReading } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { isOwnKey } from '../own-key.ts';
import type { CheckoutClient } from './client.ts';
import type { CheckoutAccount } from './credentials.ts';
import { parseDispute } from './dispute.ts';
import { reasonOf } from './map.ts';
import { answeredPayment, declined, idsOf, paymentFault } from './payment.ts';
import { paymentKeyOf, refundKeyOf } from './reference.ts';

interface Deps {
  readonly client: CheckoutClient;
  readonly account: CheckoutAccount;
}

type Parsed = ParsedEvent | Extract<WebhookReading, { kind: 'unavailable' }>;

const notUsed: Parsed = { kind: 'not_used' };
/** The updater may name as many sources as there are copies of one card in the account. */
const maxSources = 20;

/**
 * Verifies a webhook, and reads what it means. The SDK has no verifier: the signature is the
 * HMAC-SHA256 of the raw body in hex. The scheme carries no time of sending, so there is no replay
 * window; the id of the event makes a repetition harmless.
 */
export async function readCheckoutWebhook(
  deps: Deps,
  delivery: PspWebhook,
): Promise<WebhookReading> {
  const { rawBody, headers } = delivery;
  const { webhookSecret } = deps.account;
  if (webhookSecret === undefined) {
    return { kind: 'unverified', reason: 'The connection has no webhook_secret.' };
  }
  if (!isSigned(rawBody, headers['cko-signature'] ?? '', webhookSecret)) {
    return { kind: 'unverified', reason: 'The Cko-Signature is missing or not valid.' };
  }
  const body = parsedBody(delivery);
  const eventId = idOf(body?.id);
  const type = idOf(body?.type);
  // Its examples of payments' events have the one, those of disputes' the other (docs, event types).
  const occurredAt = new Date(textOf(body?.created_on) ?? textOf(body?.timestamp) ?? Number.NaN);
  if (eventId === undefined || type === undefined || Number.isNaN(occurredAt.getTime())) {
    return { kind: 'malformed', reason: 'The body is not an event with an id, a type and a time.' };
  }
  const data = fieldsOf(body?.data) ?? {};
  const parsed = await parseEvent(deps, { type, data, occurredAt });
  if (parsed.kind === 'unavailable') return parsed;
  return { kind: 'read', events: [{ eventId, type, occurredAt, parsed }] };
}

function isSigned(rawBody: Uint8Array, signature: string, secret: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

function parsedBody({ rawBody, headers }: PspWebhook): Fields | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return undefined;
  try {
    return fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody)));
  } catch {
    return undefined;
  }
}

async function parseEvent(
  deps: Deps,
  event: { readonly type: string; readonly data: Fields; readonly occurredAt: Date },
): Promise<Parsed> {
  const { type, data } = event;
  if (type.startsWith('dispute_')) return parseDispute(event);
  switch (type) {
    case 'payment_approved':
    case 'payment_captured':
    case 'payment_declined':
    case 'payment_capture_declined':
      return parseCharge(type, data);
    case 'payment_refunded':
    case 'payment_refund_declined':
      return parseRefund(type, data);
    case 'card_updated':
      return parseCard(deps, data);
    default:
      return notUsed;
  }
}

/** What became of a charge of ours; other payments are none of our business. */
function parseCharge(
  type: 'payment_approved' | 'payment_captured' | 'payment_declined' | 'payment_capture_declined',
  data: Fields,
): Parsed {
  const idempotencyKey = paymentKeyOf(textOf(data.reference) ?? '');
  const asked = { idempotencyKey };
  if (!isOwnKey(idempotencyKey) || paymentFault(data, asked) !== undefined) return notUsed;
  switch (type) {
    case 'payment_declined':
      return { kind: 'charge_settled', idempotencyKey, result: declined(data, data) };
    case 'payment_capture_declined':
      return parseCaptureDeclined(idempotencyKey, data);
    case 'payment_captured':
      return {
        kind: 'charge_settled',
        idempotencyKey,
        result: { kind: 'succeeded', ...idsOf(data) },
      };
    case 'payment_approved': {
      const result = answeredPayment({ ...data, status: 'Authorized', approved: true }, asked);
      return result.kind === 'succeeded'
        ? { kind: 'charge_settled', idempotencyKey, result }
        : notUsed;
    }
  }
}

/** No money comes of a payment whose capture was declined, unless another capture of it has gone well. */
function parseCaptureDeclined(idempotencyKey: string, data: Fields): Parsed {
  if (fieldsOf(data.balances)?.total_captured !== 0) return notUsed;
  // Its amount is the capture's, and not held against the charge's.
  const { told: _, ...result } = declined(data, data);
  return { kind: 'charge_settled', idempotencyKey, result };
}

/** What became of a refund: its reference is the one that it was asked for with. */
function parseRefund(type: 'payment_refunded' | 'payment_refund_declined', data: Fields): Parsed {
  const pspTransactionId = idOf(data.id);
  const refundId = idOf(data.action_id);
  const reference = idOf(data.reference);
  const idempotencyKey = reference && refundKeyOf(reference);
  const reason = textOf(data.response_summary);
  if (pspTransactionId === undefined || refundId === undefined) return notUsed;
  return {
    kind: 'refund_settled',
    pspTransactionId,
    refundId,
    ...present({ idempotencyKey }),
    outcome: type === 'payment_refunded' ? 'refunded' : 'failed',
    ...present({ reason }),
  };
}

/**
 * New data of a stored card, by the account updater. The event names sources and no customer, so
 * each source is asked for its own. A closed account brings no data that could be tried.
 */
async function parseCard(deps: Deps, data: Fields): Promise<Parsed> {
  if (fieldsOf(data.replacement_card) === undefined) return notUsed;
  const sources = Array.isArray(data.sources) ? data.sources.slice(0, maxSources) : [];
  const updates = [];
  for (const id of sources.map((source) => idOf(fieldsOf(source)?.id))) {
    if (id === undefined || !/^\w+$/.test(id)) continue;
    const sent = await deps.client.instrument(id);
    if (sent.kind === 'refused' && sent.status === 404) continue;
    if (sent.kind !== 'answered') {
      return { kind: 'unavailable', reason: `A source could not be read: ${reasonOf(sent)}` };
    }
    const customerId = idOf(fieldsOf(fieldsOf(sent.value)?.customer)?.id);
    if (customerId === undefined) continue;
    const reason = 'network_updated' as const;
    updates.push({ psp_customer_id: customerId, payment_method_id: id, reason });
  }
  return updates.length === 0 ? notUsed : { kind: 'payment_method_updates', updates };
}
