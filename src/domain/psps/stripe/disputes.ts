import {
  at,
  fraudWarning,
  type PspDisputes,
  row,
  statusRows,
} from '../../disputes/normalise/psp-dispute-rows.ts';

const answers = {
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
} as const;

/**
 * Stripe's dispute.status, and card.case_type as the stage. A dispute that was closed through the
 * API, or whose due_by passed, is `lost` there. Since 2026-10-28 a decision that may be appealed to the
 * network has statuses of its own (docs.stripe.com/changelog/endive, docs.stripe.com/disputes/arbitration).
 */
export const stripeDisputes: PspDisputes = {
  source: 'Stripe, dispute object: status, payment_method_details.card.case_type; stripe/openapi',
  rows: [
    row({ event: 'radar.early_fraud_warning.created' }, fraudWarning),
    row({ event: 'radar.early_fraud_warning.updated' }, fraudWarning),
    row({ status: 'prevented' }, at('pre_dispute', 'prevented')),
    row({ stage: 'block' }, at('pre_dispute', 'prevented')),
    row({ stage: 'resolution' }, at('pre_dispute', 'prevented')),
    ...statusRows({}, 'inquiry', {
      warning_needs_response: 'needs_response',
      warning_under_review: 'under_review',
      warning_closed: 'closed',
    }),
    ...statusRows({}, 'arbitration', {
      appeal_needs_response: 'needs_response',
      appeal_under_review: 'under_review',
    }),
    ...statusRows({ stage: 'compliance' }, 'compliance', answers),
    ...statusRows({}, 'chargeback', answers),
  ],
};
