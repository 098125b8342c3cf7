import { type Psp, pspFacts } from '../../../domain/psps.ts';
import type { AttachedFile, AttachmentKind } from '../../added/attachment.ts';
import type { PacketContent } from '../packet.ts';
import type { Notes } from './rendered.ts';

/** Where a file goes at its PSP, or why it goes nowhere. */
export type AttachmentPlace =
  | { readonly kind: 'goes'; readonly field: string }
  | { readonly kind: 'stays'; readonly why: string };

/** How a PSP takes files. */
interface FileRules {
  /** Its field or type for each kind; without one it has none. */
  readonly fields: Readonly<Partial<Record<AttachmentKind, string>>>;
  /** Whether a field holds one file alone. */
  readonly isSingle: boolean;
  /** What takes a file whose own field is taken. */
  readonly spare?: string;
  /** Bytes of one file, and of all that go. */
  readonly fileBytes: number;
  readonly allBytes: number;
}

/**
 * Sources: Stripe, dispute evidence fields (one file each), and responding to disputes (4.5 MB in all). Checkout.com, file
 * uploader (4 MB), and provide dispute evidence, whose `additional_evidence_file` the packet's PDF takes. PayPal, Customer
 * Disputes v1, evidence types, and supported file types and sizes (below 10 MB a file, 50 MB a call with our PDF).
 */
const rules: Readonly<Partial<Record<Psp, FileRules>>> = {
  stripe: {
    fields: {
      receipt: 'receipt',
      contract: 'customer_signature',
      customer_communication: 'customer_communication',
      service_documentation: 'service_documentation',
      shipping_documentation: 'shipping_documentation',
      refund_policy: 'refund_policy',
      cancellation_policy: 'cancellation_policy',
      other: 'uncategorized_file',
    },
    isSingle: true,
    spare: 'uncategorized_file',
    fileBytes: 4_500_000,
    allBytes: 4_500_000,
  },
  checkout: {
    fields: {
      receipt: 'invoice_or_receipt_file',
      contract: 'recurring_transaction_agreement_file',
      customer_communication: 'customer_communication_file',
      service_documentation: 'proof_of_delivery_or_service_file',
      shipping_documentation: 'proof_of_delivery_or_service_file',
      refund_policy: 'refund_or_cancellation_policy_file',
      cancellation_policy: 'refund_or_cancellation_policy_file',
    },
    isSingle: true,
    fileBytes: 4_000_000,
    allBytes: 25_000_000,
  },
  paypal: {
    fields: {
      receipt: 'PROOF_OF_RECEIPT_COPY',
      contract: 'COPY_OF_CONTRACT',
      customer_communication: 'OTHER',
      service_documentation: 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
      shipping_documentation: 'ADDITIONAL_PROOF_OF_SHIPMENT',
      refund_policy: 'RETURN_POLICY',
      cancellation_policy: 'RETURN_POLICY',
      other: 'OTHER',
    },
    isSingle: false,
    fileBytes: 9_999_999,
    allBytes: 45_000_000,
  },
};

const byHand = 'Files are not sent to this processor by Recoup yet: add it there.';

/** Where each file goes, in their order: those that were added first have the first choice of the fields. */
export function placeAttachments(
  psp: Psp,
  attachments: readonly Pick<AttachedFile, 'kind' | 'bytes'>[],
): readonly AttachmentPlace[] {
  const of = rules[psp];
  if (of === undefined) return attachments.map(() => ({ kind: 'stays', why: byHand }));
  const taken = new Map<string, number>();
  let bytes = 0;
  return attachments.map((attachment) => {
    const place = placeOf({ ...of, name: pspFacts[psp].name }, attachment, { taken, bytes });
    if (place.kind === 'goes') {
      taken.set(place.field, (taken.get(place.field) ?? 0) + 1);
      bytes += attachment.bytes;
    }
    return place;
  });
}

/** A file that goes, with the field that it goes to and its place among all files. */
export interface PlacedAttachment {
  readonly attachment: AttachedFile;
  readonly field: string;
  readonly number: number;
}

/** The files of a packet that go to its PSP; what stays is noted. */
export function attachmentsThatGo(
  { dispute, attachments = [] }: PacketContent,
  notes?: Notes,
): readonly PlacedAttachment[] {
  const places = placeAttachments(dispute.psp, attachments);
  return attachments.flatMap((attachment, at) => {
    const place = places[at];
    if (place?.kind === 'goes') return [{ attachment, field: place.field, number: at + 1 }];
    notes?.without(`attachment ${at + 1} (${attachment.kind})`, place?.why ?? byHand);
    return [];
  });
}

function placeOf(
  { name, fields, isSingle, spare, fileBytes, allBytes }: FileRules & { readonly name: string },
  { kind, bytes }: Pick<AttachedFile, 'kind' | 'bytes'>,
  so: { readonly taken: ReadonlyMap<string, number>; readonly bytes: number },
): AttachmentPlace {
  const stays = (why: string): AttachmentPlace => ({ kind: 'stays', why });
  if (bytes > fileBytes) {
    return stays(`${name} takes files of at most ${megabytes(fileBytes)}: make it smaller.`);
  }
  if (so.bytes + bytes > allBytes) {
    return stays(`${name} takes ${megabytes(allBytes)} in all, which the files before fill.`);
  }
  const field = fields[kind];
  if (field === undefined) return stays(`${name} has no field for it: choose another kind.`);
  if (!isSingle || !so.taken.has(field)) return { kind: 'goes', field };
  if (spare !== undefined && !so.taken.has(spare)) return { kind: 'goes', field: spare };
  return stays(`${name} takes one file as ${field}: join them into one PDF.`);
}

/** As their limits are written, in millions of bytes: `4.5 MB`. */
function megabytes(bytes: number): string {
  return `${Math.round(bytes / 100_000) / 10} MB`;
}
