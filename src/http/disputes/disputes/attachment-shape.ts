import { Type } from 'typebox';
import {
  type Attachment,
  attachmentBytes,
  attachmentKinds,
  attachmentsBytes,
  attachmentTypes,
  maxAttachments,
} from '../../../disputes/added/attachment.ts';
import type { AttachmentsView } from '../../../disputes/added/manage-attachments.ts';
import {
  type AttachmentPlace,
  placeAttachments,
} from '../../../disputes/evidence/renderers/attachment-places.ts';
import { present } from '../../../domain/present.ts';
import { downloadAs } from '../../endpoint/file-body.ts';
import { enumField, timeField } from '../../fields.ts';
import type { Answer } from '../../server/answer.ts';

/** Of the query that comes with a file. */
export const attachmentQuery = Type.Object({
  kind: {
    ...enumField(attachmentKinds, 'What the file shows: by it each PSP has a place for it.'),
    examples: ['receipt'],
  },
});

/** The least file that is one, for the documents. */
export const fileExample = '%PDF-1.7\n%%EOF\n';

/** A file as the documents show it. */
export const fileShape = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  description: `A PDF, a PNG or a JPEG of at most ${attachmentBytes} bytes.`,
});

const [firstType, ...otherTypes] = attachmentTypes;

/** A download as either API's document shows it: it comes as the type of its bytes. */
export const downloadAnswers = {
  200: {
    description: 'The file.',
    mediaType: firstType,
    schema: fileShape,
    example: fileExample,
    otherForms: Object.fromEntries(otherTypes.map((type) => [type, fileShape])),
    headers: {
      ETag: { type: 'string', description: 'The SHA-256 of its bytes.' },
      'Content-Disposition': { type: 'string', description: 'Its name; a browser saves it.' },
    },
  },
};

export const attachmentShape = Type.Object(
  {
    id: Type.String({ description: 'Our id of it.' }),
    kind: enumField(attachmentKinds, 'What it shows.'),
    name: Type.String({ description: 'Its name, cleaned, with the ending of its type.' }),
    media_type: enumField(attachmentTypes, 'What it is, by its bytes.'),
    bytes: Type.Integer({ description: 'How long it is.' }),
    sha256: Type.String({ description: 'SHA-256 of its bytes, in hexadecimal.' }),
    added_by: Type.String({ description: '`merchant`, `operator`, or the id of an operator.' }),
    added_at: timeField('When it came.'),
    goes_to: Type.Optional(
      Type.String({
        description:
          "The PSP's own field or type of evidence that it goes to, and what the PSP decides of it when it is asked.",
      }),
    ),
    why_not: Type.Optional(
      Type.String({ description: 'Why it does not go to the PSP, in a sentence.' }),
    ),
  },
  { title: 'Attachment' },
);

export const attachmentExample = {
  id: 'fil_4c1vbz7p0x9k2m5n8q3r6t0w',
  kind: 'receipt' as const,
  name: 'June.pdf',
  media_type: 'application/pdf' as const,
  bytes: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  added_by: 'merchant',
  added_at: '2026-06-02T08:00:00.000Z',
  goes_to: 'receipt',
};

export const attachmentsShape = Type.Object(
  {
    attachments: Type.Array(attachmentShape, { description: 'The first one first.' }),
    is_sent: Type.Boolean({
      description: 'Whether the evidence was sent on, so that nothing can be added or removed.',
    }),
    max_files: Type.Integer({ description: 'Files of one dispute.' }),
    max_bytes: Type.Integer({ description: 'Bytes of one file.' }),
    max_total_bytes: Type.Integer({ description: 'Bytes of all files of one dispute.' }),
  },
  { title: 'Attachments' },
);

export const attachmentsExample = {
  attachments: [attachmentExample],
  is_sent: false,
  max_files: maxAttachments,
  max_bytes: attachmentBytes,
  max_total_bytes: attachmentsBytes,
};

export function attachmentsJson(view: AttachmentsView): Type.Static<typeof attachmentsShape> {
  const { dispute, attachments, isSent } = view;
  const { psp, facts } = dispute;
  const places = placeAttachments({ psp, ...present({ network: facts.network }) }, attachments);
  return {
    attachments: attachments.map((one, at) => attachmentJson(one, places[at])),
    is_sent: isSent,
    max_files: maxAttachments,
    max_bytes: attachmentBytes,
    max_total_bytes: attachmentsBytes,
  };
}

/** One that was just added, among those that are there: by them it has its place. */
export function addedJson(
  view: AttachmentsView | undefined,
  attachment: Attachment,
): Type.Static<typeof attachmentShape> {
  const among = view && attachmentsJson(view).attachments;
  return among?.find(({ id }) => id === attachment.attachmentId) ?? attachmentJson(attachment);
}

function attachmentJson(
  { attachmentId, kind, name, mediaType, bytes, sha256, addedBy, addedAt }: Attachment,
  place?: AttachmentPlace,
): Type.Static<typeof attachmentShape> {
  return {
    id: attachmentId,
    kind,
    name,
    media_type: mediaType,
    bytes,
    sha256,
    added_by: addedBy,
    added_at: addedAt.toISOString(),
    ...(place?.kind === 'goes' && { goes_to: goesTo(place) }),
    ...(place?.kind === 'stays' && { why_not: place.why }),
  };
}

function goesTo({ field, condition }: Extract<AttachmentPlace, { kind: 'goes' }>): string {
  return condition === undefined ? field : `${field}, ${condition}`;
}

/** A file for whoever asked for it: a browser saves it, and neither shows nor runs it. */
export function downloadAnswer(found: {
  readonly attachment: Attachment;
  readonly bytes: Uint8Array;
}): Answer {
  const { attachment, bytes } = found;
  const headers = present({
    'content-type': attachment.mediaType,
    'content-disposition': downloadAs(attachment.name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    etag: `"${attachment.sha256}"`,
  });
  return { status: 200, body: '', bytes, headers };
}
