/** A body of several parts, and the header that says how they are parted. */
export interface MultipartForm {
  readonly contentType: string;
  readonly body: Uint8Array;
}

export interface FormPart {
  readonly name: string;
  readonly contentType: string;
  readonly fileName?: string;
  readonly content: string | Uint8Array;
}

/**
 * multipart/form-data of RFC 7578. `boundary` must stand in no part, and has at most 70 characters (RFC
 * 2046): a hash of what they hold will do.
 * Names are put in as they are, so none may hold a quotation mark or a line break.
 */
export function multipartForm(boundary: string, parts: readonly FormPart[]): MultipartForm {
  const chunks = parts.flatMap(({ name, contentType, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const head = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${name}"${file}`,
      `Content-Type: ${contentType}`,
      '\r\n',
    ].join('\r\n');
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
