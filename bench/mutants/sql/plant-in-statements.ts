import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unitOf } from '../../../src/policy/learned/hash.ts';
import type { MutantsResult, Survivor } from '../result.ts';
import { testsVariable } from '../vitest-config.ts';
import { engineMutants } from './engine-mutants.ts';
import { intakeMutants } from './intake-mutants.ts';
import { type Rewriting, sqlMutantVariable } from './rewrite.ts';
import type { SqlMutant } from './sql-mutant.ts';

export const sqlMutants: readonly SqlMutant[] = [...engineMutants, ...intakeMutants];

/** A run of tests that lasts longer was made to wait for ever by its mutant. */
const maxRunMs = 10 * 60_000;

/** Plants a sample of the kept bugs in statements, each in a run of its tests of its own. */
export async function plantInStatements(input: {
  readonly sample: number;
  readonly seed: number;
  readonly tempDir: string;
  readonly tell: (line: string) => void;
}): Promise<MutantsResult> {
  const { sample, seed, tempDir, tell } = input;
  const place = ({ statement, part, by }: SqlMutant) =>
    unitOf(`${statement} ${part} ${by}`, `${seed}`);
  const drawn = sqlMutants.toSorted((a, b) => place(a) - place(b)).slice(0, sample);
  const tests = [...new Set(drawn.flatMap((mutant) => mutant.tests))];
  if ((await runTests(tests)) !== 'passed') {
    throw new Error('the tests of the statements fail without a mutant');
  }
  const survivors: Survivor[] = [];
  let timedOut = 0;
  for (const [at, mutant] of drawn.entries()) {
    const noteTo = join(tempDir, `sql-${at}`);
    const { statement, part, by } = mutant;
    const ended = await runTests(mutant.tests, { statement, part, by, noteTo });
    const isAlive = ended === 'passed';
    const isUncovered = !existsSync(noteTo);
    await rm(noteTo, { force: true });
    tell(
      `${at + 1} of ${drawn.length}: ${statement} ${isAlive || isUncovered ? 'survived' : 'killed'}`,
    );
    // Tests that failed without having sent the statement say nothing of it.
    if (!isAlive && !isUncovered) {
      if (ended === 'timed_out') timedOut += 1;
      continue;
    }
    survivors.push({ at: statement, original: part, replacement: by, isUncovered });
  }
  return {
    name: 'sql',
    all: sqlMutants.length,
    planted: drawn.length,
    killedByTests: drawn.length - survivors.length,
    timedOut,
    killedByCompiler: 0,
    survivors,
  };
}

/** What becomes of these tests, with a statement changed where one is given. */
async function runTests(
  tests: readonly string[],
  rewriting?: Rewriting,
): Promise<'passed' | 'failed' | 'timed_out'> {
  const program = join('node_modules', 'vitest', 'vitest.mjs');
  const config = join('bench', 'mutants', 'vitest-config.ts');
  const child = spawn(process.execPath, [program, 'run', '--config', config, '--bail', '1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      [testsVariable]: tests.join(','),
      ...(rewriting && { [sqlMutantVariable]: JSON.stringify(rewriting) }),
    },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), maxRunMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  clearTimeout(timer);
  if (code === null) return 'timed_out';
  return code === 0 ? 'passed' : 'failed';
}
