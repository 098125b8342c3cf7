import type {
  CheckoutElements,
  CountedElement,
  ElementName,
} from '../../domain/disputes/ce3/elements.ts';
import type { DisputeReason } from '../../domain/disputes/ce3/transactions.ts';
import type { JudgedRule, Verdict } from '../../domain/disputes/ce3/verdict.ts';
import type { DisputeStage, DisputeStatus } from '../../domain/disputes/normalise/dispute-state.ts';
import type { Money } from '../../domain/money.ts';
import type { Psp } from '../../domain/psps.ts';
import type { AttachedFile } from '../added/attachment.ts';
import type { TimelineKind } from './packet-facts.ts';

/** Rises with every change of the content's form: two forms have no hash in common. */
export const packetFormat = 'recoup-evidence-2';

/** A charge in a packet. Instants are ISO 8601 in UTC, with milliseconds. */
export interface PacketCharge {
  readonly id: string;
  readonly psp: Psp;
  readonly processedAt: string;
  readonly money: Money;
  readonly arn?: string;
  readonly descriptor?: string;
  readonly productDescription?: string;
  readonly initiatedBy: 'customer' | 'merchant';
  readonly elements: CheckoutElements;
}

export interface PacketEvent {
  readonly at: string;
  readonly kind: TimelineKind;
  readonly words: string;
  readonly reference?: string;
  readonly money?: Money;
  readonly merchantAgreedAt?: string;
}

export interface PacketContent {
  readonly format: typeof packetFormat;
  readonly merchantName: string;
  readonly customer: { readonly name?: string; readonly customerId?: string };
  readonly dispute: {
    readonly id: string;
    readonly psp: Psp;
    readonly reason: DisputeReason;
    readonly stage?: DisputeStage;
    readonly status?: DisputeStatus;
    readonly money: Money;
    readonly disputedAt: string;
    readonly respondBy?: { readonly at: string; readonly source: string };
  };
  readonly charge: PacketCharge;
  readonly merchandiseOrServices?: 'merchandise' | 'services';
  readonly providedAt?: string;
  readonly priors: readonly PacketCharge[];
  readonly verdict: {
    readonly ruleSet: Verdict['ruleSet'];
    readonly eligible: boolean;
    readonly elementSet: readonly CountedElement[];
    readonly matching: readonly CountedElement[];
    readonly matchingNames: readonly ElementName[];
    readonly rules: readonly JudgedRule[];
  };
  readonly timeline: readonly PacketEvent[];
  /** The merchant's letter to the issuer. */
  readonly rebuttal?: string;
  /** Files that a person added, the first one first. */
  readonly attachments?: readonly AttachedFile[];
}

/** A packet of evidence: the same facts make the same content and the same hash, always. */
export interface Packet {
  readonly content: PacketContent;
  /** SHA-256 over the canonical JSON of the content, in hexadecimal. */
  readonly contentHash: string;
}
