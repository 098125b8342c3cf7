import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
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

it('what the image starts runs from just the files that it has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-image-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const { from, to, paths } of ofFinal('COPY').map(copied)) {
    // Packages without the optional ones stand in for by all: what they lack is not to be loaded.
    if (from === 'packages')
      await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    else
      for (const path of paths)
        await cp(path, join(folder, paths.length > 1 ? path : to), { recursive: true });
  }
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const [command] = ofFinal('CMD').map((rest) => JSON.parse(rest) as [string, string]);
  expect(command?.[0]).toBe('node');
  const [settings = ''] = ofFinal('ENV');
  const env = Object.fromEntries(
    settings.split(' ').map((pair) => pair.split('=') as [string, string]),
  );
  const program = startProgram('node', [join(folder, command?.[1] ?? '')], {
    ...env,
    DATABASE_URL: database.connectionString,
    ENCRYPTION_KEY: '07'.repeat(32),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
    MIGRATE_ON_START: 'false',
    DASHBOARD: 'false',
    DRAIN_DELAY: '0s',
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
  expect(await program.end(60_000)).toMatchObject({ code: 0 });
});
