import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeDataDir } from '../../kits/data-dirs.ts';
import { startProgram } from '../../kits/program.ts';

test('a whole service in a simulated world that is ended by a signal leaves no server and no folder', async () => {
  const base = await mkdtemp(join(tmpdir(), 'recoup-ended-'));
  // As root, the database's own user passes through.
  await chmod(base, 0o711);
  const args = ['simulate', '--end-to-end', '--failures', '1000', '--days', '28'];
  const program = startProgram('node', ['src/cli/recoup.ts', ...args], { TMPDIR: base });
  onTestFinished(async () => {
    await program.abandon();
    for (const name of await readdir(base)) await removeDataDir(join(base, name));
    await rm(base, { recursive: true, force: true });
  });
  await program.until(({ stderr }) => /day 1 of 28/.exec(stderr)?.[0]);
  expect(await readdir(base)).not.toEqual([]);
  program.signal('SIGINT');
  const ended = await program.end(60_000);
  expect(ended.signal ?? ended.code).not.toBe(0);
  expect(await readdir(base)).toEqual([]);
}, 180_000);
