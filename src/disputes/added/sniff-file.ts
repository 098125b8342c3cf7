import type { AttachmentType } from './attachment.ts';

/**
 * How files begin. Sources: ISO 32000-1, 7.5.2 (PDF header); PNG specification, 5.2 (signature and IHDR); ITU-T T.81,
 * B.1.1.3 (SOI, then a marker).
 */
const beginnings: readonly (readonly [AttachmentType, Uint8Array])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

/** As many bytes as are looked at; a file that ends before is judged by what there is. */
export const sniffedBytes = 16;
/** How far from the end of a file its last mark may stand: ISO 32000-1, annex H, note 18. */
export const tailBytes = 1024;

/** What a file is by its first bytes, whatever its sender says; undefined: nothing that is taken. */
export function sniffFile(head: Uint8Array): AttachmentType | undefined {
  return beginnings.find(([, mark]) => startsWith(head, mark))?.[0];
}

/** Whether a file of this type ends as one: what was cut off on its way does not. */
export function isWhole(type: AttachmentType, tail: Uint8Array): boolean {
  const end = Buffer.from(tail.subarray(-tailBytes));
  switch (type) {
    case 'application/pdf':
      return end.includes('%%EOF');
    case 'image/png':
      return end.includes('IEND');
    case 'image/jpeg':
      // Cameras put more behind the image: how far is said nowhere.
      return true;
  }
}

function startsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return bytes.length >= mark.length && mark.every((byte, at) => bytes[at] === byte);
}
