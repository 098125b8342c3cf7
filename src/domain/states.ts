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

/**
 * What a `scheduled` payment waits for: its next attempt (or the plan of it), or the customer, without
 * whose new or updated payment method nothing is tried before the window ends.
 */
export const waits = ['attempt', 'customer'] as const;
export type Wait = (typeof waits)[number];

/** What keeps a `scheduled` payment from any attempt until a person decides: an open incident, or work that was set aside. */
export const holds = ['incident', 'set_aside'] as const;
export type Hold = (typeof holds)[number];

/** How payments are narrowed by what holds them: by one hold, by `any` of them, or to those that `none` holds. */
export const holdFilters = [...holds, 'any', 'none'] as const;
export type HoldFilter = (typeof holdFilters)[number];

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

/**
 * What a webhook is about: a try's result, the end of a recovery, a contradiction in the records, a wait for
 * the customer and its end.
 */
export const eventTypes = [
  'retry_result',
  'end_of_dunning',
  'incident',
  'customer_action_required',
  'customer_action_resolved',
] as const;
export type EventType = (typeof eventTypes)[number];

/** One event on its way to the merchant's webhook. */
export const deliveryStates = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One accepted request in the log. */
export const requestStates = ['accepted', 'applied', 'rejected'] as const;
export type RequestState = (typeof requestStates)[number];

/**
 * Which state of a payment may follow which. Where a charge that was taken for never made turns out to have
 * succeeded, its payment is recovered from whatever state: the money was taken.
 */
export const paymentMoves: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  scheduled: ['attempting', 'stopped', 'exhausted', 'recovered'],
  attempting: ['recovered', 'scheduled', 'stopped', 'exhausted'],
  recovered: [],
  stopped: ['recovered'],
  exhausted: ['recovered'],
};

/** Which state of an attempt may follow which. What was not attempted may be known as made late. */
export const attemptMoves: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  checking: ['charging', 'not_attempted'],
  charging: ['succeeded', 'declined', 'unknown', 'not_attempted'],
  unknown: ['succeeded', 'declined', 'not_attempted'],
  succeeded: [],
  declined: [],
  not_attempted: ['succeeded', 'declined'],
};

/** Whether a payment in this state will never be charged again. */
export function isFinal(state: PaymentState): boolean {
  return state === 'recovered' || state === 'stopped' || state === 'exhausted';
}

/** Why a payment was stopped before its window or its budget ran out. */
export const stopReasons = [
  'merchant_declined_retry',
  'merchant_stop',
  'invoice_not_found',
  'recovered_elsewhere',
  'invoice_closed',
  'disputed',
  /** Its debt has another recovery, which goes on. */
  'joined',
] as const;
export type StopReason = (typeof stopReasons)[number];

/** What does not fit between our record and the PSP's, or within ours. */
export const incidentKinds = [
  'contradiction',
  'two_successes',
  'amount_differs',
  'mode_differs',
  'missing_at_psp',
  'missing_here',
  'state_differs',
] as const;
export type IncidentKind = (typeof incidentKinds)[number];

/** A finding that a person has to decide; while it is open its invoice is frozen. */
export const incidentStates = ['open', 'refunding', 'refunded', 'dismissed'] as const;
export type IncidentState = (typeof incidentStates)[number];

/** Which state of an incident may follow which. A refund that was made may still fail later, by the PSP's word. */
export const incidentMoves: Readonly<Record<IncidentState, readonly IncidentState[]>> = {
  open: ['refunding', 'dismissed'],
  refunding: ['refunded', 'open'],
  refunded: ['open'],
  dismissed: [],
};
