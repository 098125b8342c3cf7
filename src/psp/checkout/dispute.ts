import { normaliseDispute } from '../../domain/disputes/words/normalise-dispute.ts';
import type { Money } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { PspEventMeaning, WebhookReading } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { reasonFacts } from '../dispute-reason.ts';
import { isOwnKey } from '../own-key.ts';
import { minorFromCheckout } from './amount.ts';
import type { CheckoutClient } from './client.ts';
import { reasonOf } from './map.ts';

type Unavailable = Extract<WebhookReading, { kind: 'unavailable' }>;

/** A dispute; whose charge it was, and on which card, is read of its payment. */
export async function disputeMeaning(
  deps: { readonly client: CheckoutClient },
  input: { readonly type: string; readonly data: Fields; readonly occurredAt: Date },
): Promise<PspEventMeaning | Unavailable> {
  const { type, data, occurredAt } = input;
  const pspDisputeId = idOf(data.id);
  const status = textOf(data.status);
  const state = normaliseDispute('checkout', { event: type, ...present({ status }) });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  const paymentId = idOf(data.payment_id);
  const read = await paymentOf(deps, paymentId);
  if (read.kind === 'unavailable') return read;
  const source = fieldsOf(read.payment?.source);
  const reference = idOf(data.payment_reference) ?? idOf(read.payment?.reference);
  return {
    kind: 'dispute',
    dispute: {
      pspDisputeId,
      openedAt: timeOf(data.date) ?? timeOf(data.received_on) ?? occurredAt,
      paymentIds: [paymentId, idOf(data.payment_action_id)].filter((id) => id !== undefined),
      ...present({
        money: moneyOf(data),
        respondBy: timeOf(data.evidence_required_by),
        merchantReference: reference,
        idempotencyKey: reference !== undefined && isOwnKey(reference) ? reference : undefined,
        networkTransactionId: idOf(read.payment?.scheme_id),
        pspCustomerId: idOf(fieldsOf(read.payment?.customer)?.id),
        paymentMethodId: idOf(source?.id),
        cardFingerprint: idOf(source?.fingerprint),
        chargedAt: timeOf(read.payment?.requested_on),
      }),
      ...reasonFacts({
        scheme: textOf(source?.scheme) ?? textOf(data.payment_method),
        code: textOf(data.reason_code),
        words: textOf(data.category),
      }),
      ...state,
    },
  };
}

function moneyOf({ amount, currency }: Fields): Money | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined;
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  const amountMinor = minorFromCheckout(amount, currency);
  return amountMinor === undefined ? undefined : { amountMinor, currency };
}

function timeOf(value: unknown): Date | undefined {
  const at = new Date(textOf(value) ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

async function paymentOf(
  { client }: { readonly client: CheckoutClient },
  id: string | undefined,
): Promise<{ readonly kind: 'read'; readonly payment?: Fields } | Unavailable> {
  if (id === undefined || !/^\w+$/.test(id)) return { kind: 'read' };
  const sent = await client.payment(id);
  if (sent.kind === 'answered') {
    const payment = fieldsOf(sent.value);
    return payment?.id === id ? { kind: 'read', payment } : { kind: 'read' };
  }
  if (sent.kind === 'refused' && sent.status === 404) return { kind: 'read' };
  const reason = `The disputed payment could not be read: ${reasonOf(sent)}`;
  return { kind: 'unavailable', reason };
}
