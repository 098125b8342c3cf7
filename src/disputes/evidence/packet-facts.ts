import type {
  DisputedTransaction,
  PriorTransaction,
} from '../../domain/disputes/ce3/transactions.ts';
import type { DisputeState } from '../../domain/disputes/normalise/dispute-state.ts';
import type { RespondBy } from '../../domain/disputes/normalise/respond-by.ts';
import type { Money } from '../../domain/money.ts';
import type { AttachedFile } from '../added/attachment.ts';

/** What happened to the subscription, as far as it bears on the dispute. */
export const timelineKinds = [
  'checkout',
  'renewal',
  'retry',
  'webhook_delivery',
  'refund',
  'dispute',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export interface TimelineEvent {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly words: string;
  /** The id of what it is about, such as a charge. */
  readonly reference?: string;
  readonly money?: Money;
  /** Of a retry: when the merchant's server agreed to it. */
  readonly merchantAgreedAt?: Date;
}

/** Everything that a packet is made of. Their order says nothing. */
export interface PacketFacts {
  readonly dispute: {
    readonly id: string;
    readonly state: DisputeState;
    /** What is disputed: less than the charge in a partial dispute. */
    readonly money: Money;
    readonly respondBy?: RespondBy;
  };
  readonly merchantName: string;
  readonly customer: { readonly name?: string; readonly customerId?: string };
  readonly disputed: DisputedTransaction;
  /** Charges that may be priors. The packet keeps those that the verdict chose. */
  readonly candidates: readonly PriorTransaction[];
  /** When the goods or the service were given to the customer. */
  readonly providedAt?: Date;
  readonly timeline: readonly TimelineEvent[];
  /** The merchant's letter to the issuer. */
  readonly rebuttal?: string;
  /** Files that a person added, the first one first. */
  readonly attachments?: readonly AttachedFile[];
}
