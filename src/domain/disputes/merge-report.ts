import type { DisputeStage, DisputeState } from './normalise/dispute-state.ts';
import { type DisputeFacts, maxPaymentIds } from './reported-dispute.ts';

/**
 * Whether what is said of a dispute replaces what is known. PSPs' events come in any order, so their
 * own times decide; of two of one instant (Stripe counts in seconds) the one that is further on.
 */
export function supersedes(
  said: { readonly state: DisputeState; readonly at: Date },
  known: { readonly state: DisputeState; readonly at: Date },
): boolean {
  const aheadMs = said.at.getTime() - known.at.getTime();
  return aheadMs > 0 || (aheadMs === 0 && rankOf(said.state) >= rankOf(known.state));
}

const order: readonly DisputeStage[] = [
  'inquiry',
  'pre_dispute',
  'chargeback',
  'compliance',
  'pre_arbitration',
  'arbitration',
];

function rankOf(state: DisputeState): number {
  if (state.kind === 'fraud_warning') return -1;
  const steps: Partial<Record<typeof state.status, number>> = {
    needs_response: 0,
    under_review: 1,
  };
  return order.indexOf(state.stage) * 3 + (steps[state.status] ?? 2);
}

/** Two reports of one dispute: the newer one's facts first, and what only the other has. */
export function mergeFacts(newer: DisputeFacts, older: DisputeFacts): DisputeFacts {
  const unsigned = new Set(newer.unsignedFields ?? []);
  for (const field of older.unsignedFields ?? []) {
    if (!(field in newer)) unsigned.add(field);
  }
  return {
    ...older,
    ...newer,
    openedAt: new Date(Math.min(newer.openedAt.getTime(), older.openedAt.getTime())),
    paymentIds: [...new Set([...newer.paymentIds, ...older.paymentIds])].slice(0, maxPaymentIds),
    unsignedFields: [...unsigned],
  };
}
