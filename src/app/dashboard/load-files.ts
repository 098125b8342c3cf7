import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { StaticFile } from '../../operator/dashboard/dashboard.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compress = promisify(gzip);
/** Below this a compressed answer is no smaller packet. */
const compressFromBytes = 1_024;

/** The files of a build, in memory: some hundred kilobytes. */
export async function loadFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const name = relative(folder, path).replaceAll(sep, '/');
        return [name, await loadFile(path, name)] as const;
      }),
    ),
  );
}

async function loadFile(path: string, name: string): Promise<StaticFile> {
  const bytes = await readFile(path);
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    bytes,
    isImmutable: name.startsWith('assets/'),
    ...(bytes.length >= compressFromBytes && { gzip: await compress(bytes) }),
  };
}
