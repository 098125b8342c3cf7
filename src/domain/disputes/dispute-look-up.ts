import type { DisputeStatus } from './normalise/dispute-state.ts';
import type { DisputeFacts, DisputeField } from './reported-dispute.ts';

/** A dispute whose rest is to be read in the PSP's own record. */
export interface DisputeQuestion {
  readonly kind: 'dispute' | 'fraud_warning';
  /** As its events say it; none of a warning. */
  readonly status?: DisputeStatus;
  readonly pspDisputeId: string;
  /** The PSP's names of the payment; none where its events name none. */
  readonly paymentIds: readonly string[];
}

/** What the record may say: never whose dispute it is, nor which of its fields are signed. */
export type ReadFacts = Partial<
  Omit<DisputeFacts, 'pspDisputeId' | 'openedAt' | 'unsignedFields' | 'emailIndex'>
>;

export type DisputeAnswer =
  | {
      readonly kind: 'read';
      readonly facts: ReadFacts;
      /** Unsigned fields that the record bears out, besides those that `facts` gives. */
      readonly verified?: readonly DisputeField[];
      /** The payer's address, to be hashed at once: it is kept nowhere. */
      readonly email?: string;
    }
  /** The PSP's record has nothing of it, or nothing more than its events. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * What is known once the record was read. What the PSP signed stays; what was missing, or said by
 * nobody's signature, is the record's. A field that both lack stays marked.
 */
export function withAnswer(known: DisputeFacts, read: ReadFacts, verified: readonly string[]) {
  const unsigned = known.unsignedFields ?? [];
  const filled = Object.entries(read).filter(
    ([field, value]) =>
      value !== undefined && (!(field in known) || unsigned.some((name) => name === field)),
  );
  const borneOut = new Set<string>([...Object.keys(read), ...verified]);
  return {
    ...known,
    ...(Object.fromEntries(filled) as ReadFacts),
    paymentIds: [...new Set([...known.paymentIds, ...(read.paymentIds ?? [])])],
    unsignedFields: unsigned.filter((field) => !borneOut.has(field)),
  };
}
