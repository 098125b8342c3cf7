import type { Reader } from '../ports.ts';
import type { Attachment } from './attachment.ts';

/** Which dispute. */
export interface DisputeKey {
  readonly merchantId: string;
  readonly disputeId: string;
}

/** What a person added to a dispute's evidence beyond what Recoup knows. */
export interface AddedEvidence {
  /** A letter to the issuer. */
  readonly rebuttal?: string;
  /** Files, the first one first. */
  readonly attachments?: readonly Attachment[];
}

/** Keeps what a person added, sealed. */
export interface AddedEvidenceStore {
  /**
   * What was added, opened, with a line in the audit log for a rebuttal.
   *
   * @throws AppError encryption_key_wrong
   */
  open(input: DisputeKey & { readonly reader: Reader; readonly at: Date }): Promise<AddedEvidence>;
  /** Replaces the rebuttal; an empty text removes it. False where there is no such dispute. */
  writeRebuttal(
    input: DisputeKey & { readonly text: string; readonly actor: string; readonly at: Date },
  ): Promise<boolean>;
}
