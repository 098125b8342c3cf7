import { attachmentBytes, attachmentsBytes, maxAttachments } from './attachment.ts';

/** What both APIs and the command say of a file that is not kept. */
export const attachWords = {
  too_large: `A file may have ${attachmentBytes} bytes.`,
  full: `A dispute may have ${maxAttachments} files, and ${attachmentsBytes} bytes of them: remove one first.`,
  erased:
    'The customer of this dispute was erased while the file came: nothing of it was kept. Send it again if it is to be there all the same.',
  empty: 'There are no bytes: send the file as the body of the request.',
} as const;
