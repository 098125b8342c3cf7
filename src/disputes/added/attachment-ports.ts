import type { Reader } from '../ports.ts';
import type { DisputeKey } from './added-ports.ts';
import type { Attachment, AttachmentKind, AttachmentType } from './attachment.ts';

/** Which file of a dispute. */
export interface AttachmentKey extends DisputeKey {
  readonly attachmentId: string;
}

export type FinishOutcome =
  | { readonly kind: 'kept'; readonly attachment: Attachment }
  /** The same bytes were there before; those that came are gone. */
  | { readonly kind: 'known'; readonly attachment: Attachment }
  /** The dispute has as many files, or bytes, as it may have. */
  | { readonly kind: 'full' }
  /** What came of it is gone: its customer was erased meanwhile. */
  | { readonly kind: 'erased' };

export type RemoveOutcome = 'removed' | 'sent' | 'not_found';

/** Keeps files, sealed part by part. */
export interface AttachmentStore {
  /** Those that are whole, the first one first. Their names are opened. */
  list(key: DisputeKey): Promise<readonly Attachment[]>;
  /** Begins a file that is on its way; the id is new. */
  begin(
    input: AttachmentKey & {
      readonly kind: AttachmentKind;
      readonly mediaType: AttachmentType;
      readonly name: string;
      readonly actor: string;
      readonly at: Date;
    },
  ): Promise<void>;
  /** The next part, at most `attachmentPartBytes`. False where those before it are gone. */
  append(
    key: AttachmentKey,
    part: { readonly number: number; readonly bytes: Uint8Array },
  ): Promise<boolean>;
  /** All of it has come. */
  finish(
    input: AttachmentKey & {
      readonly bytes: number;
      readonly sha256: Uint8Array;
      readonly actor: string;
      readonly at: Date;
    },
  ): Promise<FinishOutcome>;
  /** It will not come whole: its parts go. */
  abandon(key: AttachmentKey): Promise<void>;
  /** Its bytes, opened, with a line in the audit log; undefined where there is no such file. */
  read(
    input: AttachmentKey & { readonly reader: Reader; readonly at: Date },
  ): Promise<{ readonly attachment: Attachment; readonly bytes: Uint8Array } | undefined>;
  /** Takes it away for good, unless it went with an answer. */
  remove(
    input: AttachmentKey & { readonly actor: string; readonly at: Date },
  ): Promise<RemoveOutcome>;
  /** What the PSP calls it from now on. */
  noteReference(key: AttachmentKey, reference: string): Promise<void>;
  /** What the PSP calls those that were uploaded there and then taken away here. */
  removedReferences(key: DisputeKey): Promise<readonly string[]>;
}
