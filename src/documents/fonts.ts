import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';

export interface Fonts {
  readonly regular: Buffer;
  readonly bold: Buffer;
  /** Whether both have a letter for a Unicode code point. */
  readonly has: (codePoint: number) => boolean;
}

/**
 * Noto Sans (SIL Open Font License 1.1): Latin, Greek and Cyrillic with all their extensions, and
 * Devanagari. A PDF gets the letters alone that it uses.
 */
export async function loadFonts(): Promise<Fonts> {
  const [regular, bold] = await Promise.all([
    readFont('400Regular/NotoSans_400Regular.ttf'),
    readFont('700Bold/NotoSans_700Bold.ttf'),
  ]);
  const opened = [create(regular), create(bold)];
  const has = (codePoint: number): boolean =>
    opened.every((font) => 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(codePoint));
  return { regular, bold, has };
}

function readFont(path: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${path}`)));
}
