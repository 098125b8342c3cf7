// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';
import type { VerdictJson } from './disputes.ts';

/** The packet. */
export type EvidenceJson = {
  /** SHA-256 over the canonical JSON (RFC 8785) of `content`, in hexadecimal. */
  readonly content_hash: string;
  /** Judged anew at each call; absent where the amount in dispute is not known. */
  readonly verdict: VerdictJson;
  /** The packet, as it is hashed: dispute, charge, priors, verdict, timeline and rebuttal. It holds personal data in clear text. */
  readonly content: {
    /** What happened, the first one first. */
    readonly timeline: readonly EvidenceEventJson[];
    /** The letter to the issuer. */
    readonly rebuttal?: string;
  } & Readonly<Record<string, unknown>>;
  /** The packet in the form of its PSP, with what that has no room for. */
  readonly psp_evidence: {
    /** Whose form it is. */
    readonly psp: PspJson;
    /** Absent where it takes the PDF alone. */
    readonly body?: unknown;
    readonly left_out: readonly {
      readonly field: string;
      readonly why: string;
    }[];
  };
};

export type EvidenceEventJson = {
  /** When it happened. */
  readonly at: string;
  /** What kind of thing it is. */
  readonly kind: 'checkout' | 'renewal' | 'retry' | 'webhook_delivery' | 'refund' | 'dispute';
  /** What happened. */
  readonly words: string;
  /** What it is known by. */
  readonly reference?: string;
} & Readonly<Record<string, unknown>>;

/** The rebuttal, and where it goes. */
export type RebuttalJson = {
  /** Absent where nobody wrote one. */
  readonly text?: string;
  /** Characters that it may have. */
  readonly limit: number;
  /** Characters of the PSP's own field; absent where the PDF holds it. */
  readonly psp_limit?: number;
  /** Where the PSP gets it, in a sentence. */
  readonly goes_to: string;
  /** Whether the evidence was sent on, so that it cannot be changed. */
  readonly is_sent: boolean;
};

export type WriteRebuttalBody = {
  /** Your letter to the issuer, in your own words: it is sealed, and goes with the evidence whole. An empty text removes it. */
  readonly text: string;
};
