import { relative, resolve } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { unitOf } from '../../../src/policy/learned/hash.ts';

/** How many mutants of a folder are planted, and which: set by the run that starts Stryker. */
export const sampleSizeVariable = 'RECOUP_MUTANTS_SAMPLE';
export const sampleSeedVariable = 'RECOUP_MUTANTS_SEED';

/**
 * Lets a seeded sample of the mutants through. Stryker plants all of a file or those of a range of it;
 * what a checker refuses counts as never compiled, and is not run.
 */
const checker: Checker = {
  init: async () => undefined,
  // All in one group, since the sample is drawn from all.
  group: async (mutants) => [mutants.map(({ id }) => id)],
  check: async (mutants) => {
    const drawn = new Set(drawSample(mutants).map(({ id }) => id));
    const results = mutants.map(({ id }): [string, CheckResult] => [
      id,
      drawn.has(id)
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not of the sample' },
    ]);
    return Object.fromEntries(results);
  },
};

/** The same mutants for the same seed and sources, whichever folder these are checked out to. */
function drawSample(mutants: readonly Mutant[]): readonly Mutant[] {
  const size = Number(process.env[sampleSizeVariable] ?? Number.POSITIVE_INFINITY);
  const seed = process.env[sampleSeedVariable] ?? '1';
  const placed = mutants.map((mutant) => ({ mutant, place: unitOf(nameOf(mutant), seed) }));
  return placed
    .sort((a, b) => a.place - b.place)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

const root = resolve(import.meta.dirname, '../../..');

function nameOf({ fileName, location, mutatorName, replacement }: Mutant): string {
  const { line, column } = location.start;
  const { line: endLine, column: endColumn } = location.end;
  const path = relative(root, fileName);
  return [path, line, column, endLine, endColumn, mutatorName, replacement].join(' ');
}

function createChecker(): Checker {
  return checker;
}
createChecker.inject = [] as const;

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'sample', createChecker)];
