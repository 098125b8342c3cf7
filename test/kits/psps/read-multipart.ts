/** One part of a form, its bytes as they came. */
export interface ReadPart {
  readonly name: string;
  readonly fileName?: string;
  readonly contentType?: string;
  readonly bytes: Buffer;
}

/** The parts of a multipart/form-data body (RFC 7578); undefined where it is none, or has no end. */
export function readMultipart(
  contentType: string | undefined,
  body: Buffer,
): readonly ReadPart[] | undefined {
  const match = /^multipart\/form-data; ?boundary="?([^"]{1,70})"?$/.exec(contentType ?? '');
  const boundary = match?.[1];
  if (boundary === undefined) return undefined;
  // Every byte is one character of Latin-1, so that positions in the text are those in the bytes.
  const pieces = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  if (pieces.length < 3 || !/^--(\r\n)*$/.test(pieces.at(-1) ?? '')) return undefined;
  return pieces.slice(1, -1).map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, end);
    const fileName = /; filename="([^"]*)"/.exec(head)?.[1];
    const type = /^content-type: (.*)$/im.exec(head)?.[1];
    return {
      name: /; name="([^"]*)"/.exec(head)?.[1] ?? '',
      bytes: Buffer.from(piece.slice(end + 4), 'latin1'),
      ...(fileName !== undefined && { fileName }),
      ...(type !== undefined && { contentType: type.trim() }),
    };
  });
}
