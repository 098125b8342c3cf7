import type { AttachmentType } from '../added/attachment.ts';

/** A file that a person added, for its PSP. */
export interface EvidenceFile {
  /** By which the packet names it. */
  readonly sha256: string;
  readonly mediaType: AttachmentType;
  /** What the PSP called it when it was uploaded before: it is not uploaded again. */
  readonly reference?: string;
  /** Its bytes; undefined where it was taken away meanwhile. */
  readonly bytes: () => Promise<Uint8Array | undefined>;
  /** Keeps what the PSP calls it. */
  readonly keep: (reference: string) => Promise<void>;
}

/** Bytes that were taken away between the packet and its sending, in a sentence. */
export const fileGone = 'A file was removed while the evidence was being prepared. Try again.';

/** The file that a packet names by its hash. */
export function fileOf(
  files: readonly EvidenceFile[] | undefined,
  { sha256 }: { readonly sha256: string },
): EvidenceFile | undefined {
  return files?.find((file) => file.sha256 === sha256);
}
