import type { DisputeStage, DisputeState, DisputeStatus } from './dispute-state.ts';

/** What a PSP says of a dispute, in its own words; which fields it has depends on the PSP. */
export interface PspDisputeSaid {
  /** The webhook's type: `NOTIFICATION_OF_FRAUD`, `dispute_evidence_required`. */
  readonly event?: string;
  /** Stripe's case_type, Braintree's kind, PayPal's dispute_life_cycle_stage. */
  readonly stage?: string;
  readonly status?: string;
  /** How it ended, where that is another field than the status: PayPal's outcome_code. */
  readonly outcome?: string;
  /** Braintree's pre_dispute_program, PayPal's dispute_channel. */
  readonly program?: string;
}

/** A row holds for what has all the words that it names; the first such row is taken. */
export interface PspDisputeRow {
  readonly when: PspDisputeSaid;
  readonly state: DisputeState;
}

export interface PspDisputes {
  readonly source: string;
  readonly rows: readonly PspDisputeRow[];
}

export const fraudWarning: DisputeState = { kind: 'fraud_warning' };

/** The state of a dispute in a stage. */
export function at(stage: DisputeStage, status: DisputeStatus): DisputeState {
  return { kind: 'dispute', stage, status };
}

/** One row of a PSP's table: what it says, and what that means. */
export function row(when: PspDisputeSaid, state: DisputeState): PspDisputeRow {
  return { when, state };
}

/** One row for each status of a stage. */
export function statusRows(
  when: PspDisputeSaid,
  stage: DisputeStage,
  statuses: Readonly<Record<string, DisputeStatus>>,
): readonly PspDisputeRow[] {
  return Object.entries(statuses).map(([status, ours]) =>
    row({ ...when, status }, at(stage, ours)),
  );
}
