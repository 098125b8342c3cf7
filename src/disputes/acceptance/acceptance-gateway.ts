import type { DisputeStage } from '../../domain/disputes/normalise/dispute-state.ts';
import type { EvidenceResult } from '../submission/evidence-gateway.ts';

export interface AcceptanceRequest {
  readonly pspDisputeId: string;
  /** Another text for each call of a dispute: for an idempotency key. */
  readonly attempt: string;
}

export type AcceptanceRecord =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'not_accepted' }
  /** The PSP did not answer, or has no record to ask. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A PSP at which disputes are accepted through its API. Nothing is thrown. */
export interface AcceptanceApi {
  readonly kind: 'api';
  /** Stages that it lets nobody accept, each with the reason in a sentence. */
  readonly refusedStages?: Readonly<Partial<Record<DisputeStage, string>>>;
  /** Gives the disputed money away: once, and for good. */
  accept(request: AcceptanceRequest): Promise<EvidenceResult>;
  /** Whether it was accepted, by the PSP's own record. */
  readAccepted(pspDisputeId: string): Promise<AcceptanceRecord>;
}

/** How a dispute is accepted at a PSP. */
export type AcceptanceGateway =
  | AcceptanceApi
  /** It has no API for it, in a sentence. */
  | { readonly kind: 'by_hand'; readonly reason: string };
