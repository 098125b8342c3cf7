import type { OfMerchants } from '../domain/access/of-merchants.ts';
import type { DisputeAnswer, DisputeQuestion } from '../domain/disputes/dispute-look-up.ts';
import type { AnalyticsIdentifiers, MatchReason } from '../domain/disputes/matching/match-score.ts';
import type {
  DisputeStage,
  DisputeState,
  DisputeStatus,
} from '../domain/disputes/normalise/dispute-state.ts';
import type { RespondBy } from '../domain/disputes/normalise/respond-by.ts';
import type { DisputeFacts, ReportedDispute } from '../domain/disputes/reported-dispute.ts';
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

export const lookUpStates = ['none', 'pending', 'done', 'failed'] as const;
/** How far the look-up at the PSP is; `none` where nobody can be asked. */
export interface LookUpProgress {
  readonly state: (typeof lookUpStates)[number];
  /** How often the PSP did not answer. */
  readonly tries: number;
  /** When it is asked; set where it is pending. */
  readonly nextAt?: Date;
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
  readonly lookUp: LookUpProgress;
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
  /** The payer's e-mail address where it is known: it is kept as a keyed hash. */
  readonly email?: string;
}

export interface DisputeChange {
  readonly state: DisputeState;
  readonly occurredAt: Date;
}

/** A dispute as it is shown. */
export interface DisputeView extends DisputeRecord {
  readonly matchState: MatchState;
  readonly matchedAt?: Date;
  /** Who made the match, where there is one. */
  readonly matchedBy?: 'rule' | 'person';
  readonly blocksRetries: boolean;
}

export interface DisputeDetail extends DisputeView {
  readonly changes: readonly DisputeChange[];
  readonly matches: readonly DisputeMatch[];
}

export interface DisputeMatch {
  readonly analyticsId: string;
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  readonly isInherited: boolean;
}

export interface ListDisputes extends OfMerchants {
  readonly stage?: DisputeStage;
  readonly status?: DisputeStatus;
  /** Those that await an answer before this. */
  readonly dueBefore?: Date;
  /** With `deadline`: those that await an answer at this time or later. */
  readonly dueFrom?: Date;
  /** `deadline`: those that await an answer with a deadline, the soonest first. Else the newest. */
  readonly order?: 'deadline';
  /** Those that this operator works on, or `none` for nobody. Of operators' lists alone. */
  readonly assignedTo?: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface DisputeStore {
  /**
   * Writes what `decide` makes of the stored record; reports of one dispute come one after another.
   * `changed` is noted for the history. The analytics records that it matched are held while it is open, and
   * released when it is not.
   */
  change(
    key: DisputeKey,
    decide: (stored: DisputeRecord | undefined) => DisputeRecord,
    changed: DisputeChange | undefined,
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
  /** Those whose look-up is due, the longest due first. */
  findLookUpsDue(input: { at: Date; limit: number }): Promise<readonly DisputeRecord[]>;
  list(input: ListDisputes): Promise<{
    readonly items: readonly DisputeView[];
    readonly nextCursor?: string;
  }>;
}

/**
 * The keyed hash of an e-mail address, as the merchant's analytics records have it, in hexadecimal.
 */
export type HashEmail = (merchantId: string, email: string) => Promise<string>;

/** Asks the PSP's record; undefined where the merchant has no connection to it. */
export type AskPsp = (
  account: { readonly merchantId: string; readonly psp: Psp },
  question: DisputeQuestion,
) => Promise<DisputeAnswer | undefined>;

/** What the rest of Recoup does about a dispute that forbids retries. */
export type StopRetries = (input: {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly detail: string;
}) => Promise<void>;

/** Analytics records and disputes, side by side. */
export interface MatchStore {
  /**
   * Analytics records that have any id in common with the dispute's charge, or are of an earlier
   * charge of its subscription; those get the subscription's id. A bounded number of each kind.
   */
  findCandidates(dispute: DisputeRecord): Promise<readonly AnalyticsIdentifiers[]>;
  /** Replaces what was found before, unless a person made the match. */
  save(input: {
    merchantId: string;
    disputeId: string;
    state: Exclude<MatchState, 'pending'>;
    matches: readonly DisputeMatch[];
    at: Date;
  }): Promise<void>;
  /**
   * Disputes that may have a better match by now, the longest not looked at first: without a match,
   * or open with a weaker one than a payment's own id, or one that blocks a card which is not known yet; and
   * not looked at since `lookedBefore`, or since something came that has an id in common with them. Only those not looked at since `at`.
   */
  findToMatch(input: {
    at: Date;
    lookedBefore: Date;
    openedAfter: Date;
    limit: number;
  }): Promise<readonly DisputeRecord[]>;
  /** What a person decided; no rule takes it back. */
  confirm(input: ConfirmMatch & { readonly at: Date }): Promise<ConfirmOutcome>;
  /** The payments and disputes that an analytics record belongs to. */
  findOfAnalytics(input: { merchantId: string; analyticsId: string }): Promise<AnalyticsMatches>;
  /**
   * When charges since a time were made that can be priors together with the analytics record's
   * own.
   */
  findPriorsOfAnalytics(input: {
    merchantId: string;
    analyticsId: string;
    since: Date;
  }): Promise<readonly Date[]>;
}

export interface ConfirmMatch {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly analyticsId: string;
  /** Who says so, for the audit log. */
  readonly actor: 'merchant' | 'operator';
}

export type ConfirmOutcome = 'confirmed' | 'no_dispute' | 'no_analytics';

/** A payment that succeeded, with what it has in common with an analytics record. */
export interface PaymentMatch {
  readonly invoiceId: string;
  readonly pspTransactionId: string;
  readonly chargedAt: Date;
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  readonly isInherited: boolean;
}

export interface AnalyticsDispute extends Omit<DisputeMatch, 'analyticsId'> {
  readonly disputeId: string;
  readonly state: DisputeState;
  readonly matchState: MatchState;
  /** False where another analytics record is the better one, or a person has to choose. */
  readonly isTheMatch: boolean;
}

export interface AnalyticsMatches {
  readonly payments: readonly PaymentMatch[];
  readonly disputes: readonly AnalyticsDispute[];
}
