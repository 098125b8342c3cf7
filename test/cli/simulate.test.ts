import { expect, it } from 'vitest';
import { runCli } from '../kits/run-cli.ts';

it('recoup simulate needs no service, and shows policies, codes and targets', async () => {
  const args = ['simulate', '--failures', '1000', '--seed', '1', '--policy', 'every_3'];
  const { code, stdout, stderr } = await runCli('recoup', args);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^POLICY +AMOUNT +PAYMENTS +BY RETRY/);
  expect(stdout).toMatch(/\nevery_3 +\d+\.\d %/);
  expect(stdout).toMatch(/\nFIRST CODE +FAILURES +RECOVERED +TRIES\n51 +\d{3}/);
  expect(stdout).toMatch(/\nTARGET OF THE WORLD .*\nfirst failures with code 51 or 05 .* yes\n/);
});

it.each([
  [['--failures', '999'], '--failures must be a whole number from 1000 to 1000000.'],
  [['--seed', 'x'], '--seed must be a whole number from 0 to 2147483647.'],
  [['--days', '61'], '--days must be a whole number from 1 to 60.'],
  [['--end-to-end', '--failures', '9'], '--failures must be a whole number from 10 to 100000.'],
  [['--whole', '--failures', '9'], '--failures must be a whole number from 10 to 100000.'],
  [['--wrong'], '--wrong goes with --end-to-end.'],
  [['--policy', 'best'], '--policy must be one of none, daily,'],
])('refuses %s', async (args, words) => {
  const { code, stderr } = await runCli('recoup', ['simulate', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});
