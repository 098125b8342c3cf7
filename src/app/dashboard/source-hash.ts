import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What the dashboard is built from, below its folder. */
const sources = ['index.html', 'package.json', 'vite.config.ts', 'public', 'src'];

/** A short name of the sources as they are now: another one as soon as any of them changes. */
export async function sourceHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await filesOf(folder)) {
    hash.update(`${relative(folder, path)}\0`);
    hash.update(await readFile(path));
    hash.update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const source of sources) {
    const path = join(folder, source);
    try {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      found.push(...files.map((entry) => join(entry.parentPath, entry.name)).sort());
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === 'ENOTDIR') found.push(path);
      else if (code !== 'ENOENT') throw error;
    }
  }
  return found;
}
