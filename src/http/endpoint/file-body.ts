import type { Exchange } from './exchange.ts';

/** The media type that stands for a file in the documents; one's own is taken as well. */
export const fileMediaType = 'application/octet-stream';
const fileTypes = /^application\/(?:octet-stream|pdf)$|^image\/(?:png|jpeg)$/i;

/**
 * Whether a Content-Type is that of a file. A page of another site can have a browser send text and forms, but none
 * of these without asking first.
 */
export function isFileType(contentType: string | undefined): boolean {
  return contentType !== undefined && fileTypes.test(bareType(contentType));
}

/** `image/png` of `image/png; x=y`. */
export function bareType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Longest header that is looked at: a name of 255 characters, each of four encoded bytes. */
const headerLength = 4096;

/**
 * What a Content-Disposition header calls the file, in either form of RFC 6266; undefined where it says nothing that
 * can be read.
 */
export function fileNameIn(header: string | undefined): string | undefined {
  if (header === undefined || header.length > headerLength) return undefined;
  const encoded = /;\s*filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return undefined;
    }
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? /;\s*filename\s*=\s*([^;\s"]+)/i.exec(header)?.[1];
}

/** A Content-Disposition header by which a browser saves the answer, and never shows it. */
export function downloadAs(name: string): string {
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * The body of a request, chunk by chunk as it comes: nothing is read before it is asked for. What is left of it when
 * nobody asks any more is thrown away behind the answer, as after any refusal.
 */
export async function* fileBody({
  request,
}: Pick<Exchange, 'request'>): AsyncGenerator<Uint8Array> {
  // Destroyed, the connection would be gone before its answer.
  yield* request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}
