/** A fraud warning is an issuer's report: it takes no money and asks for no answer. */
export const disputeKinds = ['dispute', 'fraud_warning'] as const;

/** How far a dispute has come. A PSP's stage and its status are two things and stay two fields. */
export const disputeStages = [
  'inquiry',
  'pre_dispute',
  'chargeback',
  'pre_arbitration',
  'arbitration',
  'compliance',
] as const;
export type DisputeStage = (typeof disputeStages)[number];

/** What is to be done, or how the stage ended. */
export const disputeStatuses = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'accepted',
  'expired',
  /** An alert or an automatic refund ended it before it became a chargeback. */
  'prevented',
  /** An inquiry that ended without a chargeback, or a dispute that was taken back. */
  'closed',
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** The dispute goes on: somebody has to answer it, or an answer is being judged. */
export const openDisputeStatuses = [
  'needs_response',
  'under_review',
] as const satisfies readonly DisputeStatus[];

/** The disputed money is gone: by a verdict, by acceptance, by silence, or as a refund that ended it early. */
export const lostDisputeStatuses = [
  'lost',
  'accepted',
  'expired',
  'prevented',
] as const satisfies readonly DisputeStatus[];

/** Whether a dispute of this status goes on. */
export function isOpenStatus(status: DisputeStatus): boolean {
  const open: readonly DisputeStatus[] = openDisputeStatuses;
  return open.includes(status);
}

/** A fraud report is no dispute: it has no answer and no deadline, but it forbids the next retry. */
export type DisputeState =
  | { readonly kind: 'fraud_warning' }
  | { readonly kind: 'dispute'; readonly stage: DisputeStage; readonly status: DisputeStatus };

export type DisputeStateName =
  | 'fraud_warning'
  | 'inquiry_open'
  | 'inquiry_review'
  | 'inquiry_closed'
  | 'pre_arbitration'
  | 'arbitration'
  | DisputeStatus;

/** One word for lists and filters, made of the stage and the status. */
export function disputeStateName(state: DisputeState): DisputeStateName {
  if (state.kind === 'fraud_warning') return 'fraud_warning';
  const { stage, status } = state;
  if (stage === 'inquiry') {
    if (status === 'needs_response') return 'inquiry_open';
    if (status === 'under_review') return 'inquiry_review';
    if (status === 'closed') return 'inquiry_closed';
  }
  if (isOpenStatus(status) && (stage === 'pre_arbitration' || stage === 'arbitration'))
    return stage;
  return status;
}
