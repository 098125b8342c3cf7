import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../../kits/program.ts';

test('a simulation that is ended by a signal leaves no server and no folder', async () => {
  const args = [
    'simulate',
    'faults',
    '--seeds',
    '1..99',
    '--days',
    '3',
    '--payments',
    '4',
    '--workers',
    '1',
  ];
  const program = startProgram('node', ['src/cli/recoup.ts', ...args], { TMPDIR: tmpdir() });
  onTestFinished(() => program.abandon());
  const ours = async () =>
    (await readdir(tmpdir())).filter((name) => name.startsWith(`recoup-faults-${program.pid}-`));
  await program.until(({ stderr }) => /seed 1: ok/.exec(stderr)?.[0]);
  expect(await ours()).not.toEqual([]);
  program.signal('SIGTERM');
  expect((await program.end(60_000)).signal).toBe('SIGTERM');
  expect(await ours()).toEqual([]);
}, 120_000);
