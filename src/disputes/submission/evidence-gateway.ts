import type { Packet } from '../evidence/packet.ts';
import type { EvidenceFile } from './evidence-file.ts';

/** A packet for one dispute at its PSP. */
export interface EvidenceRequest {
  readonly pspDisputeId: string;
  /** Another text for each call of a dispute: for an idempotency key. */
  readonly attempt: string;
  readonly packet: Packet;
  /** The packet as a document. */
  readonly pdf: () => Promise<Uint8Array>;
  /** Files that a person added, of which the packet says where they go. */
  readonly files?: readonly EvidenceFile[];
  /** What the PSP calls files that were uploaded and then taken away: they go from the evidence there. */
  readonly removedFiles?: readonly string[];
  /** What the staging before this one answered as its reference. */
  readonly staged?: string;
}

/** What was staged, to be sent on; where nothing can be staged, the packet itself is. */
export interface SubmitRequest extends EvidenceRequest {
  /** As the staging answered it. */
  readonly reference?: string;
}

/** What a call came to. */
export type EvidenceResult =
  /** `reference`: what the PSP calls the answer, where sending it on needs that. */
  | { readonly kind: 'done'; readonly reference?: string }
  /** The PSP answered that it does not take it, or it was never sent. `reference`: of what lies there all the same. */
  | { readonly kind: 'failed'; readonly reason: string; readonly reference?: string }
  /** It may have arrived. */
  | { readonly kind: 'lost'; readonly reason: string; readonly reference?: string };

/** What laying the evidence beside the dispute came to. */
export type StagingResult =
  | EvidenceResult
  /** The PSP asks for files that are not there, or has no place for one that is: nothing was sent. */
  | { readonly kind: 'incomplete'; readonly reason: string };

export type SubmissionRecord =
  | { readonly kind: 'submitted' }
  | { readonly kind: 'not_submitted' }
  /** The PSP did not answer, or has no record to ask. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A PSP that takes answers through its API. Nothing is thrown. */
export interface EvidenceApi {
  readonly kind: 'api';
  /** Lays the evidence beside the dispute; nothing is sent on. It may be repeated. */
  readonly stage:
    | ((request: EvidenceRequest) => Promise<StagingResult>)
    /** It has no such step, in a sentence: what it is sent counts at once. */
    | { readonly kind: 'not_offered'; readonly reason: string };
  /** Sends on what was staged: once, and for good. */
  submit(request: SubmitRequest): Promise<EvidenceResult>;
  /**
   * Whether an answer was sent on, by the PSP's own record. What it was given before `askedAt`, since when it awaits
   * the answer by its own time, is another one.
   */
  readSubmitted(pspDisputeId: string, askedAt?: Date): Promise<SubmissionRecord>;
  /** Of a PSP that asks again in one stage: false where its record says that it awaits nothing now. */
  awaitsAnother?(pspDisputeId: string): Promise<boolean>;
}

/** How a PSP takes the answer to a dispute. */
export type EvidenceGateway =
  | EvidenceApi
  /** It has no API for it, in a sentence. */
  | { readonly kind: 'by_hand'; readonly reason: string };
