import { normaliseDispute } from '../../domain/disputes/words/normalise-dispute.ts';
import { present } from '../../domain/present.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { reasonFacts } from '../dispute-reason.ts';
import { isOwnKey } from '../own-key.ts';
import type { BraintreeClient } from './client.ts';
import { cardTypeOf } from './declines.ts';
import { reasonOf } from './map.ts';
import type { Meaning } from './notification.ts';
import { moneyOf } from './transaction.ts';

type Unavailable = Extract<Meaning, { kind: 'unavailable' }>;

/** A dispute; whose charge it was, and on which card, is read of its transaction. */
export async function disputeMeaning(
  deps: { readonly client: BraintreeClient },
  input: { readonly dispute: Fields; readonly kind: string; readonly occurredAt: Date },
): Promise<Meaning> {
  const { dispute, kind, occurredAt } = input;
  const pspDisputeId = idOf(dispute.id);
  const words = {
    stage: textOf(dispute.kind),
    status: textOf(dispute.status) ?? statusIn(kind),
    program: textOf(dispute.preDisputeProgram),
  };
  const state = normaliseDispute('braintree', { event: kind, ...present(words) });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  const told = fieldsOf(dispute.transaction) ?? {};
  const read = await transactionOf(deps, idOf(told.id));
  if (read.kind === 'unavailable') return read;
  const transaction = { ...told, ...read.transaction };
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
        scheme: cardTypeOf(transaction) ?? textOf(told.paymentInstrumentSubtype),
        code: textOf(dispute.reasonCode),
        words: textOf(dispute.reason),
      }),
      ...state,
    },
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

function timeOf(value: unknown): Date | undefined {
  const at = new Date(textOf(value) ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

async function transactionOf(
  { client }: { readonly client: BraintreeClient },
  id: string | undefined,
): Promise<{ readonly kind: 'read'; readonly transaction?: Fields } | Unavailable> {
  if (id === undefined) return { kind: 'read' };
  const sent = await client.find(id);
  if (sent.kind === 'answered') {
    const transaction = fieldsOf(sent.value);
    return transaction?.id === id ? { kind: 'read', transaction } : { kind: 'read' };
  }
  if (sent.kind === 'refused' && sent.status === 404) return { kind: 'read' };
  const reason = `The disputed transaction could not be read: ${reasonOf(sent)}`;
  return { kind: 'unavailable', reason };
}
