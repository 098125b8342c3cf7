import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the pages use of each family: no other font is there, whatever the machine has. */
const files = [
  'noto-sans/400Regular/NotoSans_400Regular.ttf',
  'noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf',
  'noto-sans/500Medium/NotoSans_500Medium.ttf',
  'noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  'noto-sans/700Bold/NotoSans_700Bold.ttf',
  'noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf',
  'noto-sans-mono/600SemiBold/NotoSansMono_600SemiBold.ttf',
  'noto-sans-mono/700Bold/NotoSansMono_700Bold.ttf',
  'noto-sans-symbols/400Regular/NotoSansSymbols_400Regular.ttf',
  'noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf',
];

/**
 * Settings of fontconfig (fonts-conf(5)) with the fonts that npm brings, and none of the machine's: so
 * letters are as wide on every machine. Returns what a browser is started with.
 */
export async function keptFonts(): Promise<Readonly<Record<string, string>>> {
  const folders = files.map((file) =>
    dirname(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`))),
  );
  const settings = settingsOf(folders);
  const name = createHash('sha256').update(settings).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `recoup-fonts-${process.getuid?.() ?? 0}-${name}`);
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'fonts.conf');
  await writeFile(path, settings.replace('CACHE', join(folder, 'cache')));
  return { FONTCONFIG_FILE: path, FONTCONFIG_PATH: folder };
}

function settingsOf(folders: readonly string[]): string {
  const instead = ([generic, family]: readonly string[]) => `
  <match target="pattern">
    <test name="family"><string>${generic}</string></test>
    <edit name="family" mode="assign" binding="strong"><string>${family}</string></edit>
  </match>`;
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${folder}</dir>`).join('\n')}
  <cachedir>CACHE</cachedir>${families.map(instead).join('')}
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;
}

const families = [
  ['sans-serif', 'Noto Sans'],
  ['serif', 'Noto Sans'],
  ['system-ui', 'Noto Sans'],
  ['sans', 'Noto Sans'],
  ['ui-monospace', 'Noto Sans Mono'],
  ['monospace', 'Noto Sans Mono'],
];
