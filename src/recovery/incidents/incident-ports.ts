import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { Psp } from '../../domain/psps.ts';
import type { IncidentKind, IncidentState } from '../../domain/states.ts';
import type { AuditEntry } from '../admin/ports.ts';

/** The charge as one of the two records has it. Amounts in minor units. */
export interface IncidentSide {
  /** In words of that side: `succeeded`, `declined`, `not_made`, `pending`, `none`. */
  readonly state: string;
  readonly pspTransactionId?: string;
  readonly amountMinor?: number;
  readonly currency?: string;
  readonly isLive?: boolean;
  readonly at?: Date;
}

/** A finding that a person has to decide. */
export interface NewIncident {
  readonly merchantId: string;
  readonly kind: IncidentKind;
  /** Names the finding within the merchant and kind: the same one again is the same incident. */
  readonly subject: string;
  /** Absent where no debt of ours is known: then nothing is frozen. */
  readonly invoiceId?: string;
  readonly psp: Psp;
  readonly connectionVersion?: number;
  /** Our key of the charge, or the PSP's id of one that is not ours. */
  readonly charge: string;
  readonly ours?: IncidentSide;
  readonly theirs?: IncidentSide;
  /** What is the matter, in a sentence without personal data. */
  readonly detail: string;
  readonly at: Date;
}

export interface Incident extends Omit<NewIncident, 'at'> {
  readonly incidentId: string;
  readonly state: IncidentState;
  /** The PSP's id of the refund, once the PSP has taken it. */
  readonly refundId?: string;
  /** When the refund was first asked of the PSP, where one was. */
  readonly refundAskedAt?: Date;
  /** When a person began to leave it as it is: from then on it is not refunded. */
  readonly dismissalBegunAt?: Date;
  /** Refunds of it that the PSP refused, or that failed afterwards. */
  readonly failedRefunds: number;
  /** Who decided what and why, in words. */
  readonly resolution?: string;
  readonly openedAt: Date;
  readonly resolvedAt?: Date;
}

export interface ListIncidents extends OfMerchants {
  readonly invoiceId?: string;
  /** `unresolved`: open or refunding. */
  readonly state?: IncidentState | 'unresolved';
  /** Items of a page, 1 to 200. */
  readonly limit: number;
  readonly cursor?: string;
}

/** A move of an incident from a state that it must still be in, with as many failed refunds. */
export interface MoveIncident {
  readonly merchantId: string;
  readonly incidentId: string;
  readonly from: IncidentState;
  /** Of the incident as it was read: once another refund of it has failed, what is known of this one moves nothing. */
  readonly failedRefunds: number;
  readonly to: IncidentState;
  readonly at: Date;
  readonly refundId?: string;
  readonly resolution?: string;
  readonly audit: AuditEntry;
}

/** What another incident of the same charge has done, or begun, with its money. */
export interface Exclusion {
  readonly incidentId: string;
  readonly why: 'refunding' | 'refunded' | 'kept';
}

/** `not_as_read`: it is in another state by now, or another refund of it has failed. */
export type MoveOutcome = 'moved' | 'not_as_read' | Exclusion;
export type BeginOutcome = 'begun' | 'not_as_read' | Exclusion;

export interface IncidentStore {
  /**
   * Opens it and, in the same transaction, freezes the invoice's payment, with the one that it was joined to, and
   * writes the event for a merchant that asks for it. `known`: it was found before, in whatever state it is now.
   */
  open(input: NewIncident): Promise<'opened' | 'known'>;
  /** Without a merchant, for the operator: whosever it is. */
  find(input: {
    readonly merchantId?: string;
    readonly incidentId: string;
  }): Promise<Incident | undefined>;
  /** The invoice as which its debt goes on: another one's, where it was joined to that. */
  findGoesOn(input: { readonly merchantId: string; readonly invoiceId: string }): Promise<string>;
  /** Those of a charge, by the PSP's id of it. */
  findByCharge(input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly pspTransactionId: string;
  }): Promise<readonly Incident[]>;
  /**
   * Marks an open incident as one whose dismissal has begun, so that no refund of its charge begins any more. An
   * exclusion where one has begun, or was made, with another incident of the charge.
   */
  beginDismissal(input: {
    readonly merchantId: string;
    readonly incidentId: string;
    readonly failedRefunds: number;
    readonly at: Date;
  }): Promise<BeginOutcome>;
  /**
   * Moves it, with a line of the audit log in the same transaction. Where it was the last unresolved
   * one of its invoice, the payment is frozen no more; where it is opened again, it is frozen again, and
   * one more refund has failed. A refund does not begin beside its dismissal; an exclusion where another
   * incident's decision of the same charge forbids it.
   */
  move(input: MoveIncident): Promise<MoveOutcome>;
}
