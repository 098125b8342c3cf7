import type { DisputeAnswer, DisputeQuestion } from '../../domain/disputes/dispute-look-up.ts';
import { normaliseDispute } from '../../domain/disputes/normalise/normalise-dispute.ts';
import { present } from '../../domain/present.ts';
import type { ParsedEvent } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf, timeOf } from '../answer-fields.ts';
import { reasonFacts } from '../dispute-reason.ts';
import { isOwnKey } from '../own-key.ts';
import type { BraintreeClient } from './client.ts';
import { cardTypeOf } from './declines.ts';
import { reasonOf } from './map.ts';
import { moneyOf } from './transaction.ts';

/** A dispute; whose charge it was, and on which card, is read of its transaction later. */
export function parseDispute(input: {
  readonly dispute: Fields;
  readonly kind: string;
  readonly occurredAt: Date;
}): ParsedEvent {
  const { dispute, kind, occurredAt } = input;
  const pspDisputeId = idOf(dispute.id);
  const words = {
    stage: textOf(dispute.kind),
    status: textOf(dispute.status) ?? statusIn(kind),
    program: textOf(dispute.preDisputeProgram),
  };
  const state = normaliseDispute('braintree', { event: kind, ...present(words) });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  const transaction = fieldsOf(dispute.transaction) ?? {};
  const openedAt = timeOf(dispute.dateOpened) ?? timeOf(dispute.receivedDate) ?? occurredAt;
  return {
    kind: 'dispute',
    dispute: {
      pspDisputeId,
      openedAt,
      paymentIds: [idOf(transaction.id)].filter((id) => id !== undefined),
      ...present({
        money: disputedMoney(dispute),
        respondBy: endOfDay(dispute.replyByDate),
        ...transactionFacts(transaction),
      }),
      ...reasonFacts({
        scheme: cardTypeOf(transaction) ?? textOf(transaction.paymentInstrumentSubtype),
        code: textOf(dispute.reasonCode),
        words: textOf(dispute.reason),
      }),
      ...state,
    },
  };
}

/** The disputed transaction, as Braintree's record has it. */
export async function lookUpBraintreeDispute(
  { client }: { readonly client: BraintreeClient },
  { paymentIds }: DisputeQuestion,
): Promise<DisputeAnswer> {
  const [id] = paymentIds;
  if (id === undefined) return { kind: 'nothing' };
  const sent = await client.find(id);
  if (sent.kind === 'refused' && sent.status === 404) return { kind: 'nothing' };
  if (sent.kind !== 'answered') {
    const reason = `The disputed transaction could not be read: ${reasonOf(sent)}`;
    return { kind: 'unavailable', reason };
  }
  const transaction = fieldsOf(sent.value);
  if (transaction?.id !== id) return { kind: 'nothing' };
  const { network } = reasonFacts({ scheme: cardTypeOf(transaction) });
  const email = textOf(fieldsOf(transaction.customer)?.email);
  return {
    kind: 'read',
    facts: present({ network, ...transactionFacts(transaction) }),
    ...present({ email }),
  };
}

function transactionFacts(transaction: Fields) {
  const orderId = idOf(transaction.orderId);
  const card = fieldsOf(transaction.creditCard);
  return {
    merchantReference: orderId,
    idempotencyKey: orderId !== undefined && isOwnKey(orderId) ? orderId : undefined,
    networkTransactionId: idOf(transaction.networkTransactionId),
    subscriptionId: idOf(transaction.subscriptionId),
    pspCustomerId: idOf(fieldsOf(transaction.customer)?.id),
    paymentMethodId: idOf(card?.token),
    cardFingerprint: idOf(card?.uniqueNumberIdentifier),
    cardLast4: textOf(card?.last4),
    chargedAt: timeOf(transaction.createdAt),
  };
}

/** Older notifications have no status; their kind is named after it: `dispute_opened`. */
function statusIn(kind: string): string {
  const status = kind.replace(/^dispute_/, '');
  return status === 'opened' ? 'open' : status;
}

function disputedMoney(dispute: Fields) {
  const amount = textOf(dispute.amountDisputed) ?? textOf(dispute.amount);
  return moneyOf({ amount, currencyIsoCode: dispute.currencyIsoCode });
}

/** A reply is taken until the day has ended; Braintree's days are those of UTC. */
function endOfDay(value: unknown): Date | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  return timeOf(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text);
}
