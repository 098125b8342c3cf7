import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findBuild } from '../../src/app/dashboard/build-dashboard.ts';
import { createTestDatabase } from '../kits/database.ts';
import { startProgram } from '../kits/program.ts';
import { readText } from '../kits/source-files.ts';

vi.setConfig({ testTimeout: 240_000 });

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The stages of the Dockerfile, each with its instructions. */
function stages(): readonly (readonly Instruction[])[] {
  const lines = readText('deploy/Dockerfile').split('\n');
  const instructions = lines.flatMap((line) => {
    const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return word === '' ? [] : [{ word, rest }];
  });
  const found: Instruction[][] = [];
  for (const each of instructions) {
    if (each.word === 'FROM') found.push([]);
    found.at(-1)?.push(each);
  }
  return found;
}

const final = stages().at(-1) ?? [];
const ofFinal = (word: string) =>
  final.filter((each) => each.word === word).map(({ rest }) => rest);

const stageOf = (name: string) =>
  stages().find(([from]) => from?.rest.endsWith(` AS ${name}`)) ?? [];
const lastRun = (name: string) => stageOf(name).findLast(({ word }) => word === 'RUN')?.rest ?? '';

/** What a COPY takes, from this repository or from an earlier stage, and where to. */
function copied(rest: string) {
  const words = rest.split(' ');
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const to = words.pop() ?? '';
  return {
    from,
    to,
    paths: words.map((path) => path.replace(/^\/recoup\//, '').replace(/\/$/, '')),
  };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-image-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * What a stage copies from the repository, with the packages of here: those without the optional
 * ones stand in for by all, since what they lack is not to be loaded.
 */
async function layOut(folder: string, ...parts: readonly (readonly Instruction[])[]) {
  for (const { word, rest } of parts.flat()) {
    const { from, to, paths } = copied(rest);
    if (word !== 'COPY' || from !== undefined) continue;
    for (const path of paths) {
      const target = paths.length > 1 || to === './' ? path : to.replace(/\/$/, '');
      const isFile = /\.\w+$/.test(path) && !/\.\w+$/.test(target);
      await cp(path, join(folder, isFile ? join(target, basename(path)) : target), {
        recursive: true,
        filter: (source) => !/\/(node_modules|dist)$/.test(source),
      });
    }
  }
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir('node_modules'))
    if (!/^\.(cache|vite)/.test(name))
      await symlink(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
}

/** The image's folder, made as the Dockerfile says, without a builder of images. */
async function makeImage(): Promise<string> {
  const [build, image, kept] = [
    await temporaryFolder(),
    await temporaryFolder(),
    await temporaryFolder(),
  ];
  const run = (command: string, cwd: string) =>
    promisify(execFile)('sh', ['-c', command], {
      cwd,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    });
  await layOut(build, stageOf('build'));
  await run(lastRun('build'), build);
  // Where it is to run: Node keeps compiled code by the names of the files.
  await layOut(image, stageOf('packages'), stageOf('compiled'));
  const cache = join(image, 'node_modules/.cache');
  await mkdir(cache);
  await run(lastRun('compiled'), image);
  for (const { mode } of await statAll(cache)) expect(mode & 0o004).toBe(0o004);
  await rename(cache, join(kept, '.cache'));
  for (const name of await readdir(image)) await rm(join(image, name), { recursive: true });
  await layOut(image, final);
  for (const { from, to } of ofFinal('COPY').map(copied)) {
    if (from === 'build') await cp(join(build, 'dashboard'), join(image, to), { recursive: true });
    if (from === 'compiled') await rename(join(kept, '.cache'), join(image, to));
  }
  return image;
}

async function statAll(folder: string) {
  const entries = await readdir(folder, { recursive: true });
  return Promise.all(entries.map((name) => stat(join(folder, name))));
}

it('the image copies what is there and not ignored, and runs as nobody', () => {
  const ignored = readText('deploy/Dockerfile.dockerignore').split('\n');
  expect(ignored).toContain('*');
  for (const { word, rest } of stages().flat()) {
    if (word !== 'COPY') continue;
    const { from, paths } = copied(rest);
    if (from !== undefined) continue;
    for (const path of paths) {
      expect(ignored).toContain(`!${path.split('/')[0]}`);
      expect(existsSync(path)).toBe(true);
    }
  }
  expect(ofFinal('USER')).toEqual(['65534:65534']);
  // After the last file was copied: what nobody owns it cannot change.
  expect(final.findIndex(({ word }) => word === 'USER')).toBeGreaterThan(
    final.findLastIndex(({ word }) => word === 'COPY'),
  );
});

it('builds the dashboard and fills the cache of compiled code as the user that it runs as', () => {
  expect(stageOf('compiled').filter(({ word }) => word === 'USER')).toEqual([
    { word: 'USER', rest: ofFinal('USER')[0] },
  ]);
  expect(lastRun('build')).toBe('npm run build');
});

it('what the image starts runs from just the files that it has, compiled before', async () => {
  const image = await makeImage();
  // Where nothing may be written, a start can build none.
  expect(await findBuild(join(image, 'dashboard'))).toBeDefined();
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const [command] = ofFinal('CMD').map((rest) => JSON.parse(rest) as [string, string]);
  expect(command?.[0]).toBe('node');
  const [settings = ''] = ofFinal('ENV');
  const env = Object.fromEntries(
    settings.split(' ').map((pair) => pair.split('=') as [string, string]),
  );
  const program = startProgram('node', [join(image, command?.[1] ?? '')], {
    ...env,
    DATABASE_URL: database.connectionString,
    ENCRYPTION_KEY: '07'.repeat(32),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
    MIGRATE_ON_START: 'false',
    DASHBOARD: 'false',
    DRAIN_DELAY: '0s',
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    ...Object.fromEntries(
      ['RECOVERY', 'DISPUTES', 'OPERATOR', 'PROBE'].map((name) => [`${name}_PORT`, '0']),
    ),
  });
  onTestFinished(() => program.abandon());
  const [, port] = await program.until(
    ({ stdout }) => /^ {2}Probes: +http:\/\/\S+:(\d+)$/m.exec(stdout) ?? undefined,
  );
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  program.signal('SIGTERM');
  const ended = await program.end(60_000);
  expect(ended.code).toBe(0);
  const sources = `ESM ${pathToFileURL(join(image, 'src')).href}/`;
  const found = ended.stderr.split(`V8 code cache for ${sources}`).slice(1);
  const missed = found.filter((line) => !/^\S+ was accepted/.test(line));
  // All but what loads or starts the service, and what is loaded where it is first asked for.
  expect(found.length).toBeGreaterThan(1_000);
  expect(missed.length).toBeLessThan(10);
});
