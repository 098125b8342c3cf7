import { inflateSync } from 'node:zlib';

/**
 * The texts of a PDF that pdfkit wrote, in the order they were written, page for page: enough to test
 * what a reader sees, without a PDF reader. Each shown string is on a line of its own.
 */
export function pdfText(bytes: Uint8Array): string {
  return pdfPages(bytes).join('\n');
}

/** The same, each page for itself. */
export function pdfPages(bytes: Uint8Array): readonly string[] {
  const objects = readObjects(Buffer.from(bytes).toString('latin1'));
  const fonts = readFonts(objects);
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  return pages.map(({ head }) => {
    const content = objects.get(/\/Contents (\d+) 0 R/.exec(head)?.[1] ?? '');
    return content === undefined ? '' : textOf(content.stream, fonts);
  });
}

interface PdfObject {
  readonly head: string;
  readonly stream: string;
}

function readObjects(file: string): ReadonlyMap<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  for (const [, id = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', ...rest] = body.split('stream\n');
    const raw = Buffer.from(rest.join('stream\n').replace(/\nend$/, ''), 'latin1');
    const isPacked = head.includes('/FlateDecode') && raw.length > 0;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? raw.length);
    const packed = raw.subarray(0, length);
    const stream = (isPacked ? inflateSync(packed) : packed).toString('latin1');
    objects.set(id, { head, stream });
  }
  return objects;
}

/** Name of a font in the pages, such as `F2`, to what its glyphs mean. */
function readFonts(
  objects: ReadonlyMap<string, PdfObject>,
): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const fonts = new Map<string, ReadonlyMap<number, string>>();
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1] ?? '';
      fonts.set(name, readMap(objects.get(map)?.stream ?? ''));
    }
  }
  return fonts;
}

function readMap(stream: string): ReadonlyMap<number, string> {
  const letters = new Map<number, string>();
  const ranges = stream.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi);
  for (const [, first = '0', list = ''] of ranges) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries()) {
      const units = (hex.replaceAll(' ', '').match(/.{4}/g) ?? []).map((unit) =>
        parseInt(unit, 16),
      );
      letters.set(parseInt(first, 16) + index, String.fromCharCode(...units));
    }
  }
  return letters;
}

function textOf(stream: string, fonts: ReadonlyMap<string, ReadonlyMap<number, string>>): string {
  let font: ReadonlyMap<number, string> = new Map();
  const lines: string[] = [];
  for (const [, name, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) font = fonts.get(name) ?? new Map();
    if (shown === undefined) continue;
    const glyphs = [...shown.matchAll(/<([0-9a-f]+)>/gi)].flatMap(
      ([, hex]) => hex?.match(/.{4}/g) ?? [],
    );
    lines.push(glyphs.map((glyph) => font.get(parseInt(glyph, 16)) ?? '?').join(''));
  }
  return lines.join('\n');
}
