import { attachmentBytes, attachmentsBytes, maxAttachments } from './attachment.ts';

/** What both APIs and the command say of a file that is not kept. */
export const attachWords = {
  too_large: `A file may have at most ${attachmentBytes} bytes.`,
  full: `A dispute may have at most ${maxAttachments} files with ${attachmentsBytes} bytes in total: remove one first.`,
  erased:
    'The customer of this dispute was erased during the upload, so the file was not kept. Send it again if you still want to add it.',
  empty: 'The file is empty.',
} as const;
