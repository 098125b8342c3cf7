import type { DisputeNetwork } from '../../../domain/disputes/normalise/dispute-network.ts';
import { present } from '../../../domain/present.ts';
import { type Psp, pspFacts } from '../../../domain/psps.ts';
import type { AttachedFile } from '../../added/attachment.ts';
import type { PacketContent } from '../packet.ts';
import { type FileRules, fileRules } from './file-rules.ts';
import type { Notes } from './rendered.ts';

/** Where a file goes at its PSP, or why it goes nowhere. */
export type AttachmentPlace =
  /** `condition`: what the PSP decides of it when it is asked. */
  | { readonly kind: 'goes'; readonly field: string; readonly condition?: string }
  | { readonly kind: 'stays'; readonly why: string };

const byHand = 'This processor accepts no files through Recoup: give it the file by hand.';

type Placed = Pick<AttachedFile, 'kind' | 'bytes' | 'mediaType'>;

/** Which dispute files are for. */
export interface PlaceOf {
  readonly psp: Psp;
  readonly network?: DisputeNetwork | 'unknown';
}

/** Where each file goes, in their order: those that were added first have the first choice of the fields. */
export function placeAttachments(
  { psp, network }: PlaceOf,
  attachments: readonly Placed[],
): readonly AttachmentPlace[] {
  const of = fileRules[psp];
  if (of === undefined) return attachments.map(() => ({ kind: 'stays', why: byHand }));
  const taken = new Map<string, number>();
  let bytes = 0;
  return attachments.map((attachment) => {
    const rules = { ...of, name: pspFacts[psp].name, ...present({ network }) };
    const place = placeOf(rules, attachment, { taken, bytes });
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
  const { psp, reason } = dispute;
  const places = placeAttachments({ psp, network: reason.network }, attachments);
  return attachments.flatMap((attachment, at) => {
    const place = places[at];
    if (place?.kind === 'goes') return [{ attachment, field: place.field, number: at + 1 }];
    notes?.without(`attachment ${at + 1} (${attachment.kind})`, place?.why ?? byHand);
    return [];
  });
}

type RulesOf = FileRules & { readonly name: string } & Pick<PlaceOf, 'network'>;

function placeOf(
  rules: RulesOf,
  file: Placed,
  so: { readonly taken: ReadonlyMap<string, number>; readonly bytes: number },
): AttachmentPlace {
  const { name, fields, single, spare, types, allBytes, condition } = rules;
  const stays = (why: string): AttachmentPlace => ({ kind: 'stays', why });
  const goes = (field: string): AttachmentPlace => ({
    kind: 'goes',
    field,
    // What takes all that is left over takes it in any case.
    ...(field !== spare && present({ condition })),
  });
  const { kind, bytes, mediaType } = file;
  if (types !== undefined && !types.includes(mediaType)) {
    return stays(`${name} does not accept ${typeName(mediaType)}: convert it to PDF.`);
  }
  const most = mostBytes(rules, file);
  if (bytes > most) {
    return stays(`${name} accepts files of at most ${megabytes(most)}: make it smaller.`);
  }
  if (so.bytes + bytes > allBytes) {
    return stays(
      `${name} accepts ${megabytes(allBytes)} in total, which the files before this one use up.`,
    );
  }
  const field = fields[kind];
  if (field === undefined) return stays(`${name} has no field for it: choose another kind.`);
  if (single === 'none' || !so.taken.has(field)) return goes(field);
  if (spare !== undefined && (single === 'all_but_spare' || !so.taken.has(spare))) {
    return goes(spare);
  }
  return stays(`${name} accepts one file as ${field}: combine them into one PDF.`);
}

/** The least of the limits that a file meets. */
function mostBytes(
  { fileBytes, bytesByType, bytesByNetwork, network }: RulesOf,
  { mediaType }: Placed,
): number {
  const ofNetwork =
    network === undefined || network === 'unknown' ? undefined : bytesByNetwork?.[network];
  return Math.min(fileBytes, bytesByType?.[mediaType] ?? fileBytes, ofNetwork ?? fileBytes);
}

/** As their limits are written, in millions of bytes: `4.5 MB`. */
function megabytes(bytes: number): string {
  return `${Math.round(bytes / 100_000) / 10} MB`;
}

/** `image/png` is a PNG. */
function typeName(mediaType: Placed['mediaType']): string {
  return (mediaType.split('/')[1] ?? mediaType).toUpperCase();
}
