import type { Psp } from '../domain/psps.ts';
import type { OpenCharge } from './engine/resolve-charge.ts';
import type { ParsedEvent } from './psp-ports.ts';

/** What Recoup made of an event; the docs and the column have the same words. */
export const pspEventOutcomes = [
  /** Its reports were ingested, as if the merchant had sent them. */
  'accepted',
  /** What it reports is not what the API would take: it names fields in the log. */
  'unusable',
  'charge_settled',
  'refund_settled',
  /** The charge or the refund had ended in the same way before. */
  'already_settled',
  /** No charge of ours has that key. */
  'charge_unknown',
  /** The charge had ended in another way before: for a person to look into. */
  'contradiction',
  'recovery_stopped',
  'nothing_to_stop',
  'dispute_kept',
  'nothing_to_do',
] as const;
export type PspEventOutcome = (typeof pspEventOutcomes)[number];

/** An event as people are shown it. */
export interface PspEventView {
  readonly psp: Psp;
  readonly eventId: string;
  readonly type: string;
  readonly kind: ParsedEvent['kind'];
  readonly outcome: PspEventOutcome;
  readonly invoiceId?: string;
  readonly pspTransactionId?: string;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
}

/** An event that was worked through. */
export interface NotedPspEvent extends PspEventView {
  readonly merchantId: string;
  /** Of a dispute: the webhook as it came, to be kept sealed. */
  readonly rawBody?: Uint8Array;
}

/** A charge of ours as a PSP names it. */
export interface NamedCharge extends OpenCharge {
  /** Whether a worker that is not known to be dead waits for the answer to it. */
  readonly isHeld: boolean;
}

export interface FindCharge {
  readonly merchantId: string;
  /** Where it is given, another PSP's charge is none. */
  readonly psp?: Psp;
  /** Where it is given, a charge sent through another account of the merchant there is none. */
  readonly connectionVersion?: number;
  readonly idempotencyKey: string;
  readonly now: Date;
}

export interface PspEventStore {
  /** The ids of those that are noted. A PSP says of an event that it sends again the same id and time. */
  findNoted(input: {
    merchantId: string;
    psp: Psp;
    events: readonly Pick<NotedPspEvent, 'eventId' | 'occurredAt'>[];
  }): Promise<ReadonlySet<string>>;
  /** False where it was noted before. */
  note(event: NotedPspEvent): Promise<boolean>;
  findCharge(input: FindCharge): Promise<NamedCharge | undefined>;
  /**
   * Remembers for good that nothing is owed, also of an invoice that is not known yet. Answers the
   * id of the debt that the invoice is of: its own, where it is of none.
   */
  closeInvoice(input: {
    merchantId: string;
    invoiceId: string;
    reason: string;
    at: Date;
  }): Promise<string>;
}
