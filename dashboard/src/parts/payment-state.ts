import type { PaymentSummaryJson } from '../api/generated/payments.ts';

type Waiting = Pick<PaymentSummaryJson, 'status' | 'waiting_for' | 'held_by'>;

/** A payment's state as people tell it: one that only its customer or a person here can move is not scheduled. */
export function paymentState({ status, waiting_for: wait, held_by: hold }: Waiting): string {
  if (hold !== undefined) return 'on_hold';
  return wait === 'customer' ? 'waiting_for_customer' : status;
}

/** The states that a list of payments is narrowed by, in the order of a recovery. */
export const paymentStates = [
  'scheduled',
  'attempting',
  'waiting_for_customer',
  'on_hold',
  'recovered',
  'stopped',
  'exhausted',
] as const;

/** What the API is asked for to list one of them. */
export function stateQuery(state: string | undefined): Readonly<Record<string, string>> {
  if (state === undefined) return {};
  if (state === 'on_hold') return { held_by: 'any' };
  if (state === 'waiting_for_customer') return { waiting_for: 'customer', held_by: 'none' };
  if (state === 'scheduled') return { waiting_for: 'attempt', held_by: 'none' };
  return { status: state };
}
