import { spawn } from 'node:child_process';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { present } from '../../domain/present.ts';
import { withBuildLock } from './build-lock.ts';
import { sourceHash } from './source-hash.ts';

/** Where the dashboard's sources stand. Each build is a folder below its `dist`. */
export const dashboardFolder = join(import.meta.dirname, '../../../dashboard');

/** `path` is the folder with the built files. */
export type BuildOutcome =
  | { readonly kind: 'ready'; readonly path: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Where the build of the sources as they are now stands; undefined where there is none. */
export async function findBuild(folder: string): Promise<string | undefined> {
  const path = join(folder, 'dist', await sourceHash(folder));
  const isThere = await stat(join(path, 'index.html')).then(
    () => true,
    () => false,
  );
  return isThere ? path : undefined;
}

/**
 * Builds the dashboard unless its present sources were built before. A build is whole or not there:
 * it is written beside and then renamed to the hash of its sources. Older builds are removed.
 */
export async function buildDashboard(input: {
  readonly folder: string;
  readonly signal?: AbortSignal;
}): Promise<BuildOutcome> {
  const { folder, signal } = input;
  // Also where nothing may be written, as in an image. No build removes one of the same sources.
  const built = await findBuild(folder);
  if (built !== undefined) return { kind: 'ready', path: built };
  const dist = join(folder, 'dist');
  return withBuildLock({ path: join(dist, 'lock'), signal }, async () => {
    const found = await findBuild(folder);
    if (found !== undefined) return { kind: 'ready', path: found };
    const hash = await sourceHash(folder);
    const draft = join(dist, 'draft');
    const message = await runVite({ folder, draft, signal });
    if (message !== undefined) return { kind: 'failed', message };
    for (const name of await readdir(dist)) {
      if (name !== 'draft' && name !== 'lock') {
        await rm(join(dist, name), { recursive: true, force: true });
      }
    }
    await rename(draft, join(dist, hash));
    return { kind: 'ready', path: join(dist, hash) };
  });
}

/** What the build said where it failed. */
async function runVite(input: {
  readonly folder: string;
  readonly draft: string;
  readonly signal: AbortSignal | undefined;
}): Promise<string | undefined> {
  const vite = join(
    dirname(createRequire(import.meta.url).resolve('vite/package.json')),
    'bin/vite.js',
  );
  const child = spawn(
    process.execPath,
    [vite, 'build', '--outDir', input.draft, '--emptyOutDir', '--logLevel', 'warn'],
    {
      cwd: input.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      ...present({ signal: input.signal }),
    },
  );
  // The service has work that is due; the dashboard can wait for it.
  if (child.pid !== undefined) setPriority(child.pid, 10);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-maxOutput);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : said || `exit code ${code}`));
  });
}

/** Characters of the build's words that are kept: the error stands at their end. */
const maxOutput = 4_000;
