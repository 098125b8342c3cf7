import type { CardAttempt } from '../../domain/network-rules/card-attempt.ts';
import { keptAdvice } from '../../domain/network-rules/hard-declines.ts';
import { present } from '../../domain/present.ts';
import type { OpenTransaction, PaymentContext } from '../engine-ports.ts';

/**
 * The payment with the declines of an attempt in the history of its cards, as they are about to be
 * recorded: the plan that is recorded with them must know of them.
 */
export function withDeclines(
  payment: PaymentContext,
  transactions: readonly OpenTransaction[],
): PaymentContext {
  const declined = transactions.filter(({ state }) => state === 'declined');
  const made = declined.flatMap((transaction) => {
    const method = payment.methods.find(
      ({ paymentMethodId }) => paymentMethodId === transaction.paymentMethodId,
    );
    if (method?.card === undefined) return [];
    const { cardKey, facts } = method.card;
    return [{ cardKey, attempt: cardAttempt(payment, transaction, facts.credential) }];
  });
  const methods = payment.methods.map((method) => {
    const { card } = method;
    if (card === undefined) return method;
    const own = made.filter(({ cardKey }) => cardKey === card.cardKey).map((item) => item.attempt);
    const others = card.attempts.filter(({ id }) => own.every((attempt) => attempt.id !== id));
    return { ...method, card: { ...card, attempts: [...others, ...own] } };
  });
  return { ...payment, methods };
}

function cardAttempt(
  payment: PaymentContext,
  transaction: OpenTransaction,
  credential: CardAttempt['credential'],
): CardAttempt {
  const { decline } = transaction;
  const networkCode = decline?.networkCode;
  const adviceCode = decline && keptAdvice(decline);
  return {
    id: transaction.idempotencyKey,
    invoiceId: payment.invoiceId,
    at: transaction.sentAt,
    initiator: 'mit',
    credential,
    outcome: 'declined',
    ...present({ networkCode, adviceCode }),
  };
}
