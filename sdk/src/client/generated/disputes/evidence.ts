// Generated from openapi/disputes.json by npm run generate; do not edit.
import type { Psp } from './analytics.ts';
import type { Verdict } from './disputes.ts';

export type Evidence = {
  /** SHA-256 over the canonical JSON (RFC 8785) of `content`, in hexadecimal. */
  readonly content_hash: string;
  /** Judged again at each call; absent where the amount in dispute is not known. */
  readonly verdict: Verdict;
  /** The packet, as it is hashed: dispute, charge, priors, verdict, timeline and rebuttal. It holds personal data in clear text. */
  readonly content: {
    /** What happened, the first one first. */
    readonly timeline: readonly EvidenceEvent[];
    /** The letter to the issuer. */
    readonly rebuttal?: string;
  } & Readonly<Record<string, unknown>>;
  /** The packet in the form of its PSP, with what that has no room for. */
  readonly psp_evidence: {
    /** Whose form it is. */
    readonly psp: Psp;
    /** Absent where it takes the PDF alone. */
    readonly body?: unknown;
    readonly left_out: readonly {
      readonly field: string;
      readonly why: string;
    }[];
  };
};

export type EvidenceEvent = {
  /** When it happened. */
  readonly at: string;
  /** What kind of thing it is. */
  readonly kind: 'checkout' | 'renewal' | 'retry' | 'webhook_delivery' | 'refund' | 'dispute';
  /** What happened. */
  readonly words: string;
  /** What it is known by. */
  readonly reference?: string;
} & Readonly<Record<string, unknown>>;

export type AttachmentKind = 'receipt' | 'contract' | 'customer_communication' | 'service_documentation' | 'shipping_documentation' | 'refund_policy' | 'cancellation_policy' | 'other';

export type Attachment = {
  /** Our id of it. */
  readonly id: string;
  /** What it shows. */
  readonly kind: AttachmentKind;
  /** Its name, cleaned, with the ending of its type. */
  readonly name: string;
  /** What it is, by its bytes. */
  readonly media_type: AttachmentType;
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
export type AttachmentType = 'application/pdf' | 'image/png' | 'image/jpeg';

export type Attachments = {
  /** The first one first. */
  readonly attachments: readonly Attachment[];
  /** Whether the evidence was sent on, so that nothing can be added or removed. */
  readonly is_sent: boolean;
  /** Files of one dispute. */
  readonly max_files: number;
  /** Bytes of one file. */
  readonly max_bytes: number;
  /** Bytes of all files of one dispute. */
  readonly max_total_bytes: number;
};

export type StateEvidenceBody = {
  /** Your letter to the issuer, in your own words: it is sealed, and goes with the evidence whole. An empty text removes it. */
  readonly rebuttal?: string;
  /** What was sold: of the disputed charge, and of all charges of its subscription. */
  readonly product_description?: string;
  /** Stripe and Checkout.com ask for it. */
  readonly merchandise_or_services?: 'merchandise' | 'services';
  /** When the customer was given it. */
  readonly provided_at?: string;
  /** What statements say, of all charges. */
  readonly descriptor?: string;
  /** Whether customers sign in with the captured e-mail address. */
  readonly email_is_login?: boolean;
  /** What holds for single charges. */
  readonly charges?: readonly {
    /** The PSP's id of the charge. */
    readonly charge_id: string;
    /** Its acquirer reference number. */
    readonly arn?: string;
    /** What the statement says. */
    readonly descriptor?: string;
    /** What was sold. */
    readonly product_description?: string;
  }[];
};

export type StateEvidenceAnswer = {
  /** Our id of it. */
  readonly id: string;
};

export type AddAttachmentQuery = {
  /** What the file shows: by it each PSP has a place for it. */
  readonly kind: AttachmentKind;
};

export type RemoveAttachmentAnswer = {
  /** Its id. */
  readonly id: string;
};
