import type { DisputeStage, DisputeStatus } from '../../disputes/normalise/dispute-state.ts';
import {
  at,
  fraudWarning,
  type PspDisputeRow,
  type PspDisputes,
  row,
} from '../../disputes/normalise/psp-dispute-rows.ts';

const stages: readonly (readonly [paypal: string | undefined, ours: DisputeStage])[] = [
  ['INQUIRY', 'inquiry'],
  ['PRE_ARBITRATION', 'pre_arbitration'],
  ['ARBITRATION', 'arbitration'],
  ['CHARGEBACK', 'chargeback'],
  [undefined, 'chargeback'],
];

const outcomes: Readonly<Record<string, DisputeStatus>> = {
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'accepted',
  // PayPal paid the buyer itself, or the buyer gave up: the seller keeps the money.
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'closed',
  DENIED: 'won',
};

const statuses: Readonly<Record<string, DisputeStatus>> = {
  WAITING_FOR_SELLER_RESPONSE: 'needs_response',
  WAITING_FOR_BUYER_RESPONSE: 'under_review',
  UNDER_REVIEW: 'under_review',
};

/** PayPal's dispute_life_cycle_stage, status and dispute_outcome.outcome_code. */
export const paypalDisputes: PspDisputes = {
  source: 'PayPal, Customer Disputes v1; paypal-rest-api-specifications customer_disputes_v1.json',
  rows: [row({ program: 'ALERT' }, fraudWarning), ...stages.flatMap(rowsOfStage)],
};

function rowsOfStage([paypal, ours]: (typeof stages)[number]): readonly PspDisputeRow[] {
  const stage = paypal === undefined ? {} : { stage: paypal };
  // An open inquiry is the seller's to answer, before PayPal has said so.
  const open = ours === 'inquiry' ? 'needs_response' : 'under_review';
  return [
    // An outcome is that of a resolved dispute: beside another status it is of an earlier decision, before an appeal.
    ...Object.entries({ ...statuses, OPEN: open } as const).map(([status, meant]) =>
      row({ ...stage, status }, at(ours, meant)),
    ),
    ...Object.entries(outcomes).map(([outcome, status]) =>
      row({ ...stage, outcome }, at(ours, status)),
    ),
    row({ ...stage, status: 'RESOLVED' }, at(ours, 'closed')),
  ];
}
