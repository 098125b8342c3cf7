import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CliError } from '../../src/cli/cli-error.ts';
import { saveWhole } from '../../src/cli/save-whole.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'save-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

async function* chunksOf(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

it('a file is there once it is complete, for its owner alone', async () => {
  const dir = await folder();
  const path = join(dir, 'list.csv');
  await writeFile(path, 'before');
  async function* seen() {
    yield Buffer.from('a');
    expect(await readFile(path, 'utf8')).toBe('before');
    yield Buffer.from('b');
  }
  await saveWhole(path, seen());
  expect(await readFile(path, 'utf8')).toBe('ab');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(dir)).toEqual(['list.csv']);
});

it('what breaks off leaves the file as it was, and nothing beside it', async () => {
  const dir = await folder();
  const path = join(dir, 'list.csv');
  await writeFile(path, 'before');
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('the service ended');
  }
  await expect(saveWhole(path, broken())).rejects.toThrow('the service ended');
  expect(await readFile(path, 'utf8')).toBe('before');
  expect(await readdir(dir)).toEqual(['list.csv']);
});

it('a link stays one, and what it leads to is written', async () => {
  const dir = await folder();
  const [path, link] = [join(dir, 'list.csv'), join(dir, 'link')];
  await writeFile(path, 'before');
  await symlink(path, link);
  await saveWhole(link, chunksOf('after'));
  expect(await readFile(path, 'utf8')).toBe('after');
  expect((await readdir(dir)).toSorted()).toEqual(['link', 'list.csv']);
});

it.runIf(process.platform !== 'win32')(
  'what is no file is written into, and nothing is put in its place',
  async () => {
    const dir = await folder();
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [read] = await Promise.all([readFile(pipe, 'utf8'), saveWhole(pipe, chunksOf('a', 'b'))]);
    expect(read).toBe('ab');
    expect((await stat(pipe)).isFIFO()).toBe(true);
    expect(await readdir(dir)).toEqual(['pipe']);
  },
);

it('a folder that is not there, and a full disk, are said with their code', async () => {
  const missing = join(await folder(), 'none', 'list.csv');
  const refused = saveWhole(missing, chunksOf('a'));
  await expect(refused).rejects.toThrow(CliError);
  await expect(refused).rejects.toThrow(`The file ${missing} cannot be written (ENOENT).`);
  if (process.platform !== 'linux') return;
  await expect(saveWhole('/dev/full', chunksOf('a'))).rejects.toThrow(
    'The file /dev/full cannot be written (ENOSPC).',
  );
});
