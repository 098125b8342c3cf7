import { attachmentBytes, attachmentsBytes, maxAttachments } from './attachment.ts';

/** What both APIs and the command say of a file that is not kept. */
export const attachWords = {
  too_large: `A file may have ${attachmentBytes} bytes.`,
  full: `A dispute may have ${maxAttachments} files, and ${attachmentsBytes} bytes of them: remove one first.`,
  empty: 'There are no bytes: send the file as the body of the request.',
} as const;
