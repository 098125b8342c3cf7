/** What a file shows. Each kind has a place at each PSP that takes files, or a sentence why it has none. */
export const attachmentKinds = [
  'receipt',
  'contract',
  'customer_communication',
  'service_documentation',
  'shipping_documentation',
  'refund_policy',
  'cancellation_policy',
  'other',
] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

/** What the PSPs take, Adyen no PNG. Sources: Stripe, file upload; Braintree, document upload; Checkout.com, file uploader; PayPal. */
export const attachmentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

/**
 * Of one file, and of all of a dispute's: American Express takes 5 MB a file and 25 MB in all, which no other
 * network or PSP goes beyond but PayPal, and Adyen with JPEG. Source: Checkout.com, dispute evidence file requirements.
 */
export const attachmentBytes = 5_000_000;
export const attachmentsBytes = 25_000_000;
/** Ours: more than all fields for files of any PSP. */
export const maxAttachments = 20;
/** Read and sealed at once. */
export const attachmentPartBytes = 64 * 1024;

/** A file that a person added, without its bytes. */
export interface Attachment {
  readonly attachmentId: string;
  readonly kind: AttachmentKind;
  /** Cleaned, with the ending of its type. */
  readonly name: string;
  readonly mediaType: AttachmentType;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly addedBy: string;
  readonly addedAt: Date;
  /** What the PSP calls the file, once it was uploaded there. */
  readonly pspReference?: string;
}

/** What a packet says of a file: its bytes are not in the content, their hash is. */
export type AttachedFile = Pick<Attachment, 'kind' | 'name' | 'mediaType' | 'bytes' | 'sha256'>;

const endings: Readonly<Record<AttachmentType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};
const maxNameLength = 100;

/** A file's name for people: no folder, nothing unprintable, and the ending of what it is. */
export function attachmentName(
  given: string | undefined,
  of: { readonly kind: AttachmentKind; readonly mediaType: AttachmentType },
): string {
  const base = (given ?? '')
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.(pdf|png|jpe?g)$/i, '')
    .replaceAll(/["<>:|?*\s]+/g, ' ')
    .replaceAll(/^[ .]+|[ .]+$/g, '');
  const kept = [...base].slice(0, maxNameLength).join('').trim();
  return `${kept === '' ? of.kind : kept}.${endings[of.mediaType]}`;
}

/** A file's name for a PSP: it tells of nobody, and fits PayPal's pattern, the narrowest. */
export function attachmentPspName(
  { kind, mediaType }: Pick<Attachment, 'kind' | 'mediaType'>,
  place: number,
): string {
  return `${kind}_${place}.${endings[mediaType]}`;
}
