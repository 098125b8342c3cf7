import type { DisputeState } from '../../disputes/normalise/dispute-state.ts';
import { at, type PspDisputes, row } from '../../disputes/normalise/psp-dispute-rows.ts';

const states: Readonly<Record<string, DisputeState>> = {
  evidence_required: at('chargeback', 'needs_response'),
  evidence_under_review: at('chargeback', 'under_review'),
  evidence_submitted: at('chargeback', 'under_review'),
  won: at('chargeback', 'won'),
  lost: at('chargeback', 'lost'),
  accepted: at('chargeback', 'accepted'),
  expired: at('chargeback', 'expired'),
  canceled: at('inquiry', 'closed'),
  resolved: at('pre_dispute', 'prevented'),
  arb_evidence_submitted: at('arbitration', 'under_review'),
  arbitration_under_review: at('arbitration', 'under_review'),
  arbitration_won: at('arbitration', 'won'),
  arbitration_lost: at('arbitration', 'lost'),
};

/** Events that no status is named like. */
const events: Readonly<Record<string, DisputeState>> = {
  dispute_evidence_acknowledged_by_scheme: at('chargeback', 'under_review'),
  dispute_arbitration_evidence_submitted: at('arbitration', 'under_review'),
  dispute_arbitration_sent_to_scheme: at('arbitration', 'under_review'),
};

/** Checkout.com's dispute status; most of its webhooks are named after it, with `dispute_` before it. */
export const checkoutDisputes: PspDisputes = {
  source: 'Checkout.com, dispute statuses and webhook types; checkout-sdk-net DisputeStatus',
  rows: [
    ...Object.entries(states).flatMap(([status, state]) => [
      row({ status }, state),
      row({ event: `dispute_${status}` }, state),
    ]),
    ...Object.entries(events).map(([event, state]) => row({ event }, state)),
  ],
};
