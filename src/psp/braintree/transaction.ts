import { type Money, minorFromDecimal } from '../../domain/money.ts';
import type { ChargedCard } from '../../domain/network-rules/card-attempt.ts';
import type { ChargeResult, LookUpResult } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { chargedCard } from '../charged-card.ts';
import { braintreeDecline, cardTypeOf } from './declines.ts';

/** What the record of a charge came to; `not_made` never is said of a transaction that exists. */
export type TransactionResult = Exclude<ChargeResult, { kind: 'not_made' }>;

/**
 * With these the money is on its way: a sale that was submitted for settlement. Source: Braintree,
 * docs, transaction statuses.
 */
const paid: readonly unknown[] = [
  'submitted_for_settlement',
  'settling',
  'settlement_pending',
  'settlement_confirmed',
  'settled',
];

/** With these no money moved, and none will. */
const refused: readonly unknown[] = [
  'processor_declined',
  'gateway_rejected',
  'failed',
  'settlement_declined',
  'authorization_expired',
];

/**
 * What a transaction says of the charge with this key, and what it is over: whoever asked compares
 * it. `authorized` is no success: a charge asks to be settled at once, so an authorisation alone is
 * held for a person's review. `voided` was taken back by a person, who knows why.
 */
export function transactionResult(
  transaction: Fields | undefined,
  asked: { readonly idempotencyKey: string },
): TransactionResult {
  const pspTransactionId = idOf(transaction?.id);
  if (transaction === undefined || pspTransactionId === undefined) {
    return { kind: 'unknown', reason: 'an answer without a transaction' };
  }
  if (transaction.orderId !== asked.idempotencyKey || transaction.type !== 'sale') {
    return { kind: 'unknown', reason: 'the answer is about another transaction' };
  }
  const told = moneyOf(transaction);
  if (told === undefined) return { kind: 'unknown', reason: 'an answer without an amount' };
  const networkTransactionId = idOf(transaction.networkTransactionId);
  const ids = {
    pspTransactionId,
    ...(networkTransactionId && { networkTransactionId }),
    ...cardOf(transaction),
    told,
  };
  if (paid.includes(transaction.status)) return { kind: 'succeeded', ...ids };
  // The charge that it repeats is another transaction, which may have been paid.
  if (isRefusedRepetition(transaction)) {
    return { kind: 'unknown', reason: 'Braintree holds it for a duplicate of an earlier charge' };
  }
  if (isTriedAgain(transaction)) {
    return { kind: 'unknown', reason: 'Braintree is going to charge it again by itself' };
  }
  if (refused.includes(transaction.status)) {
    return { kind: 'declined', ...ids, decline: braintreeDecline(transaction) };
  }
  const status = textOf(transaction.status) ?? 'none';
  return { kind: 'unknown', reason: `the transaction has the status ${status.slice(0, 40)}` };
}

/**
 * What a charge came to by all of its transactions. Braintree tries a declined one again by itself, at
 * once or days later: such a try is a transaction of its own, which names the first one and need not
 * have its order id. Repetitions that it refused stand beside them. One success is the answer, and one
 * doubt a doubt.
 */
export function resultOfAll(
  found: readonly Fields[],
  asked: { readonly idempotencyKey: string },
): LookUpResult {
  if (found.length === 0) return { kind: 'not_found' };
  const own = found.filter(({ orderId }) => orderId === asked.idempotencyKey).map(({ id }) => id);
  const charges = found.filter((transaction) => !isRefusedRepetition(transaction));
  const results = charges.map((transaction) => {
    const isOwnRetry = own.includes(retriedIdOf(transaction) ?? '');
    const named = isOwnRetry ? { ...transaction, orderId: asked.idempotencyKey } : transaction;
    return transactionResult(named, asked);
  });
  return (
    results.find(({ kind }) => kind === 'succeeded') ??
    results.find(({ kind }) => kind === 'unknown') ??
    results[0] ?? { kind: 'unknown', reason: 'only refused repetitions of the charge are there' }
  );
}

/** The transactions by which Braintree tried this one again. Source: its SDKs, `retry_ids`. */
export function retryIdsOf({ retryIds }: Fields): readonly string[] {
  return Array.isArray(retryIds) ? retryIds.map(idOf).filter((id) => id !== undefined) : [];
}

/** The transaction that this one tries again. Source: its SDKs, `retried_transaction_id`. */
export function retriedIdOf({ retriedTransactionId }: Fields): string | undefined {
  return idOf(retriedTransactionId);
}

/** Whether Braintree itself charges it again on a day to come. Source: its SDKs, `upcoming_retry_date`. */
export function isTriedAgain(transaction: Fields): boolean {
  return isTurnedDown(transaction) && Boolean(transaction.upcomingRetryDate);
}

/** The card of a transaction. Its identifier is of the number, the same for every vaulted token. */
export function cardOf(transaction: Fields): { readonly card?: ChargedCard } {
  return chargedCard({
    fingerprint: fieldsOf(transaction.creditCard)?.uniqueNumberIdentifier,
    scheme: cardTypeOf(transaction),
    isToken: transaction.processedWithNetworkToken,
  });
}

/** Whether the money is on its way, or has arrived. */
export function isTaken({ status }: Fields): boolean {
  return paid.includes(status);
}

/** Whether no money moved, and none will. */
export function isTurnedDown({ status }: Fields): boolean {
  return refused.includes(status);
}

/** Braintree's own check: the same order, amount and card again within seconds. */
export function isRefusedRepetition(transaction: Fields): boolean {
  return (
    transaction.status === 'gateway_rejected' && transaction.gatewayRejectionReason === 'duplicate'
  );
}

/** The amount of a transaction in minor units; undefined where it is not an amount of money. */
export function moneyOf(transaction: Fields): Money | undefined {
  const { amount, currencyIsoCode: currency } = transaction;
  if (typeof amount !== 'string' || typeof currency !== 'string' || amount === '') return undefined;
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  const read = minorFromDecimal(Number(amount), currency);
  return 'fault' in read ? undefined : { amountMinor: read.amountMinor, currency };
}
