// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';
import type { VerdictJson } from './disputes.ts';

export type EvidenceJson = {
  /** SHA-256 over the canonical JSON (RFC 8785) of `content`, in hexadecimal. */
  readonly content_hash: string;
  /** Judged again at each call; absent where the amount in dispute is not known. */
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

export type AttachmentKindJson = 'receipt' | 'contract' | 'customer_communication' | 'service_documentation' | 'shipping_documentation' | 'refund_policy' | 'cancellation_policy' | 'other';

export type AttachmentJson = {
  /** Our id of it. */
  readonly id: string;
  /** What it shows. */
  readonly kind: AttachmentKindJson;
  /** Its name, cleaned, with the ending of its type. */
  readonly name: string;
  /** What it is, by its bytes. */
  readonly media_type: AttachmentTypeJson;
  /** How long it is. */
  readonly bytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** `merchant`, `operator`, or the id of an operator. */
  readonly added_by: string;
  /** When it came. */
  readonly added_at: string;
  /** The PSP's own field or type of evidence that it goes to, and what the PSP decides of it when it is asked. */
  readonly goes_to?: string;
  /** Why it does not go to the PSP, in a sentence. */
  readonly why_not?: string;
};

/** What it is, by its bytes. */
export type AttachmentTypeJson = 'application/pdf' | 'image/png' | 'image/jpeg';

/** The files. */
export type AttachmentsJson = {
  /** The first one first. */
  readonly attachments: readonly AttachmentJson[];
  /** Whether the evidence was sent on, so that nothing can be added or removed. */
  readonly is_sent: boolean;
  /** Files of one dispute. */
  readonly max_files: number;
  /** Bytes of one file. */
  readonly max_bytes: number;
  /** Bytes of all files of one dispute. */
  readonly max_total_bytes: number;
};

export type WriteRebuttalBody = {
  /** Your letter to the issuer, in your own words: it is sealed, and goes with the evidence whole. An empty text removes it. */
  readonly text: string;
};

export type AddAttachmentQuery = {
  /** What the file shows: by it each PSP has a place for it. */
  readonly kind: AttachmentKindJson;
};
