import {
  at,
  type PspDisputes,
  row,
  statusRows,
} from '../../disputes/normalise/psp-dispute-rows.ts';

const statuses = {
  open: 'needs_response',
  disputed: 'under_review',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  accepted: 'accepted',
  // Nobody answered by reply_by_date, and Braintree accepted in the merchant's name.
  auto_accepted: 'accepted',
  expired: 'expired',
} as const;

/** Braintree's dispute.kind as the stage, and dispute.status. */
export const braintreeDisputes: PspDisputes = {
  source: 'Braintree, dispute response object: kind, status, pre_dispute_program; braintree_node',
  rows: [
    row({ program: 'visa_rdr' }, at('pre_dispute', 'prevented')),
    ...statusRows({ stage: 'retrieval' }, 'inquiry', statuses),
    ...statusRows({ stage: 'pre_arbitration' }, 'pre_arbitration', statuses),
    ...statusRows({}, 'chargeback', statuses),
  ],
};
