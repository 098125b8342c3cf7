/**
 * The states of everything that has a life of its own. The same words stand in the columns, the
 * APIs and the docs; docs/states.md draws the moves.
 */

/** A failed payment under recovery. The last three are final. */
export const paymentStates = [
  'scheduled',
  'attempting',
  'recovered',
  'stopped',
  'exhausted',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** One retry of a payment: the merchant's final check, then a charge per payment method. */
export const attemptStates = [
  'checking',
  'charging',
  'succeeded',
  'declined',
  'not_attempted',
  'unknown',
] as const;
export type AttemptState = (typeof attemptStates)[number];

/**
 * One charge at the PSP. `sending` is committed before the call is made; `unknown` is a call whose
 * answer was lost; `not_made` is one that the PSP's own record shows never to have arrived.
 */
export const pspTransactionStates = [
  'sending',
  'succeeded',
  'declined',
  'unknown',
  'not_made',
] as const;
export type PspTransactionState = (typeof pspTransactionStates)[number];

/** One event on its way to the merchant's webhook. */
export const deliveryStates = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One accepted request in the log. */
export const requestStates = ['accepted', 'applied', 'rejected'] as const;
export type RequestState = (typeof requestStates)[number];

/** Which state may follow which. A state without followers is final. */
export const paymentMoves: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  scheduled: ['attempting', 'stopped', 'exhausted'],
  attempting: ['recovered', 'scheduled', 'stopped', 'exhausted'],
  recovered: [],
  stopped: [],
  exhausted: [],
};

export const attemptMoves: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  checking: ['charging', 'not_attempted'],
  charging: ['succeeded', 'declined', 'unknown', 'not_attempted'],
  unknown: ['succeeded', 'declined', 'not_attempted'],
  succeeded: [],
  declined: [],
  not_attempted: [],
};

/** Whether a payment in this state will never be charged again. */
export function isFinal(state: PaymentState): boolean {
  return paymentMoves[state].length === 0;
}

/** Why a payment was stopped before its window or its budget ran out. */
export const stopReasons = [
  'merchant_declined_retry',
  'merchant_stop',
  'invoice_not_found',
  'recovered_elsewhere',
  'invoice_closed',
  'disputed',
] as const;
export type StopReason = (typeof stopReasons)[number];
