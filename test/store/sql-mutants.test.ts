import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { engineMutants } from '../../bench/mutants/sql/engine-mutants.ts';
import { intakeMutants } from '../../bench/mutants/sql/intake-mutants.ts';
import type { CollectedStatement } from '../kits/statements/collect.ts';

const collector = join(import.meta.dirname, '..', 'kits', 'statements', 'collect.ts');
const mutants = [...engineMutants, ...intakeMutants];

/** `npm run mutants` plants them: one whose part is gone would survive for no test's fault. */
it('the bugs that are kept for statements still fit them, and name tests that are there', () => {
  const printed = execFileSync(process.execPath, [collector], { encoding: 'utf8' });
  const statements = JSON.parse(printed) as readonly CollectedStatement[];
  const texts = new Map(statements.map(({ name, text }) => [name, text]));
  const unfit = mutants.filter(({ statement, part, by }) => {
    const text = texts.get(statement) ?? '';
    return !text.includes(part) || text.replace(part, () => by) === text;
  });
  expect(unfit).toEqual([]);
  expect(mutants.flatMap(({ tests }) => tests).filter((path) => !existsSync(path))).toEqual([]);
});
