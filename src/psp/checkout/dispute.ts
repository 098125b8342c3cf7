import type { DisputeAnswer, DisputeQuestion } from '../../domain/disputes/dispute-look-up.ts';
import { normaliseDispute } from '../../domain/disputes/normalise/normalise-dispute.ts';
import type { Money } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { ParsedEvent } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf, timeOf } from '../answer-fields.ts';
import { reasonFacts } from '../dispute-reason.ts';
import { isOwnKey } from '../own-key.ts';
import { minorFromCheckout } from './amount.ts';
import type { CheckoutClient } from './client.ts';
import { reasonOf } from './map.ts';
import { paymentKeyOf } from './reference.ts';

/** A dispute; whose charge it was, and on which card, is read of its payment later. */
export function parseDispute(input: {
  readonly type: string;
  readonly data: Fields;
  readonly occurredAt: Date;
}): ParsedEvent {
  const { type, data, occurredAt } = input;
  const pspDisputeId = idOf(data.id);
  const status = textOf(data.status);
  const state = normaliseDispute('checkout', { event: type, ...present({ status }) });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  const paymentIds = [data.payment_id, data.payment_action_id].map(idOf);
  return {
    kind: 'dispute',
    dispute: {
      pspDisputeId,
      openedAt: timeOf(data.date) ?? timeOf(data.received_on) ?? occurredAt,
      paymentIds: paymentIds.filter((id) => id !== undefined),
      ...present({
        money: moneyOf(data),
        respondBy: timeOf(data.evidence_required_by),
        ...referenceFacts(data.payment_reference),
      }),
      ...reasonFacts({
        scheme: textOf(data.payment_method),
        code: textOf(data.reason_code),
        words: textOf(data.category),
      }),
      ...state,
    },
  };
}

/** The disputed payment, as Checkout.com's record has it. */
export async function lookUpCheckoutDispute(
  { client }: { readonly client: CheckoutClient },
  { paymentIds }: DisputeQuestion,
): Promise<DisputeAnswer> {
  const id = paymentIds.find((name) => /^pay_\w+$/.test(name));
  if (id === undefined) return { kind: 'nothing' };
  const sent = await client.payment(id);
  if (sent.kind === 'refused' && sent.status === 404) return { kind: 'nothing' };
  if (sent.kind !== 'answered') {
    const reason = `The disputed payment could not be read: ${reasonOf(sent)}`;
    return { kind: 'unavailable', reason };
  }
  const payment = fieldsOf(sent.value);
  if (payment?.id !== id) return { kind: 'nothing' };
  const source = fieldsOf(payment.source);
  const customer = fieldsOf(payment.customer);
  const { network } = reasonFacts({ scheme: textOf(source?.scheme) });
  return {
    kind: 'read',
    facts: present({
      network,
      ...referenceFacts(payment.reference),
      networkTransactionId: idOf(payment.scheme_id),
      pspCustomerId: idOf(customer?.id),
      paymentMethodId: idOf(source?.id),
      cardFingerprint: idOf(source?.fingerprint),
      cardLast4: textOf(source?.last4),
      chargedAt: timeOf(payment.requested_on),
    }),
    ...present({ email: textOf(customer?.email) }),
  };
}

function referenceFacts(value: unknown) {
  const reference = idOf(value);
  const key = paymentKeyOf(reference ?? '');
  return {
    merchantReference: reference,
    idempotencyKey: isOwnKey(key) ? key : undefined,
  };
}

function moneyOf({ amount, currency }: Fields): Money | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined;
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  const amountMinor = minorFromCheckout(amount, currency);
  return amountMinor === undefined ? undefined : { amountMinor, currency };
}
