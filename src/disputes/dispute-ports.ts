import type { CaptureIdentifiers } from '../domain/disputes/matching/match-score.ts';
import type { DisputeFacts, ReportedDispute } from '../domain/disputes/reported-dispute.ts';
import type {
  DisputeStage,
  DisputeState,
  DisputeStatus,
} from '../domain/disputes/words/dispute-state.ts';
import type { RespondBy } from '../domain/disputes/words/respond-by.ts';
import type { Psp } from '../domain/psps.ts';

export const disputeOrigins = ['psp', 'merchant'] as const;
/** Who told of a dispute: the PSP by a signed webhook, or the merchant by the API. */
export type DisputeOrigin = (typeof disputeOrigins)[number];

export const matchStates = ['pending', 'matched', 'conflict', 'review', 'none'] as const;
export type MatchState = (typeof matchStates)[number];

/** What a dispute is known by from outside. */
export interface DisputeKey {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly pspDisputeId: string;
}

/** A dispute as it is kept. */
export interface DisputeRecord extends DisputeKey {
  readonly disputeId: string;
  readonly origin: DisputeOrigin;
  readonly state: DisputeState;
  /** When the PSP said so. */
  readonly stateAt: Date;
  readonly stageBegunAt: Date;
  readonly facts: DisputeFacts;
  /** The merchant's own id of the customer, where the charge was reported. */
  readonly customerId?: string;
  readonly respondBy?: RespondBy;
}

/** What the merchant's own record says of a disputed charge. */
export type ChargeFacts = Partial<
  Pick<
    DisputeFacts,
    | 'chargedAt'
    | 'networkTransactionId'
    | 'invoiceId'
    | 'subscriptionId'
    | 'pspCustomerId'
    | 'paymentMethodId'
    | 'cardFingerprint'
  >
> & { readonly customerId?: string };

/** A report of a dispute, from whomever. */
export interface IncomingDispute {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly origin: DisputeOrigin;
  readonly dispute: ReportedDispute;
  /** When it was so, by the PSP. */
  readonly occurredAt: Date;
}

export interface DisputeChange {
  readonly state: DisputeState;
  readonly occurredAt: Date;
}

/** A dispute as it is shown. */
export interface DisputeView extends DisputeRecord {
  readonly matchState: MatchState;
  readonly matchedAt?: Date;
  readonly blocksRetries: boolean;
}

export interface DisputeDetail extends DisputeView {
  readonly changes: readonly DisputeChange[];
  readonly matches: readonly DisputeMatch[];
}

export interface DisputeMatch {
  readonly analyticsId: string;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly isInherited: boolean;
}

export interface ListDisputes {
  /** Absent: every merchant's, the operator's own list. */
  readonly merchantId?: string;
  readonly stage?: DisputeStage;
  readonly status?: DisputeStatus;
  /** Those that await an answer before this. */
  readonly dueBefore?: Date;
  readonly cursor?: string;
  readonly limit: number;
}

export interface DisputeStore {
  /**
   * Writes what `decide` makes of the stored record; reports of one dispute come one after another.
   * `changed` is noted in the history unless the state before it was the same.
   */
  change(
    key: DisputeKey,
    decide: (stored: DisputeRecord | undefined) => DisputeRecord,
    changed: DisputeChange,
    at: Date,
  ): Promise<DisputeRecord>;
  /** The disputed charge among those that were reported, or made by Recoup. */
  findCharge(input: {
    merchantId: string;
    psp: Psp;
    paymentIds: readonly string[];
    idempotencyKey?: string;
    paymentMethodId?: string;
  }): Promise<ChargeFacts>;
  show(input: { merchantId: string; disputeId: string }): Promise<DisputeDetail | undefined>;
  list(input: ListDisputes): Promise<{
    readonly items: readonly DisputeView[];
    readonly nextCursor?: string;
  }>;
}

/** What the rest of Recoup does about a dispute that forbids retries. */
export type StopRetries = (input: {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly detail: string;
}) => Promise<void>;

/** Captures and disputes, side by side. */
export interface MatchStore {
  /**
   * Captures that have any id in common with the dispute's charge, or are of an earlier charge of its
   * subscription; those get the subscription's id. A bounded number of each kind.
   */
  findCandidates(dispute: DisputeRecord): Promise<readonly CaptureIdentifiers[]>;
  /** Replaces what was found before. */
  save(input: {
    merchantId: string;
    disputeId: string;
    state: Exclude<MatchState, 'pending'>;
    matches: readonly DisputeMatch[];
    at: Date;
  }): Promise<void>;
  /** Disputes without a match that were not looked at since, the longest not looked at first. */
  findUnmatched(input: {
    lookedBefore: Date;
    openedAfter: Date;
    limit: number;
  }): Promise<readonly DisputeRecord[]>;
}
