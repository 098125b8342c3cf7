import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import { runCli } from '../kits/run-cli.ts';

describe('recoup completion', () => {
  test('completes commands, their commands and their options in bash', async () => {
    const { stdout: script } = await runCli('recoup', ['completion', 'bash']);
    const complete = async (...words: readonly string[]): Promise<string> => {
      const line = words.map((word) => `'${word}'`).join(' ');
      const asked = `${script}\nCOMP_WORDS=(recoup ${line}); COMP_CWORD=${words.length}; _recoup; echo "\${COMPREPLY[*]}"`;
      return (await promisify(execFile)('bash', ['-c', asked])).stdout.trim();
    };
    expect(await complete('do')).toBe('doctor');
    expect(await complete('deliveries', 're')).toBe('replay replay-all');
    expect(await complete('listen', '--fo')).toBe('--forward-to');
    expect(await complete('payments', 'list', '--status', '')).not.toContain('doctor');
  });

  test.each([
    ['zsh', /^#compdef recoup\n/],
    ['fish', /^complete -c recoup .* -f -a doctor -d /m],
  ])('has a script for %s', async (shell, shape) => {
    const run = await runCli('recoup', ['completion', shell]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(shape);
  });

  test('knows no other shell', async () => {
    expect((await runCli('recoup', ['completion', 'cmd'])).code).toBe(2);
  });
});

describe('progress', () => {
  test('is a bar on a terminal, and nothing elsewhere', () => {
    let written = '';
    const write = (text: string) => {
      written += text;
    };
    const silent = createProgress({ write });
    silent.show(0.5, 'half');
    silent.end();
    expect(written).toBe('');
    const bar = createProgress({ isTTY: true, write });
    bar.show(0.5, 'half');
    bar.end();
    expect(written).toBe(`\r\u001b[K[${'#'.repeat(12)}${'.'.repeat(12)}]  50 % half\r\u001b[K`);
  });
});
