import { defineConfig } from 'vitest/config';
import whole from '../../vitest.config.ts';

/** The folders or files of tests that are run, with commas between. */
export const testsVariable = 'RECOUP_MUTANTS_TESTS';
const tests = (process.env[testsVariable] ?? '').split(',').filter(Boolean);

/** The tests of one folder alone, each file anew: what a mutant did to a module ends with its file. */
export default defineConfig({
  resolve: whole.resolve ?? {},
  test: {
    globalSetup: ['test/kits/cluster.global.ts'],
    setupFiles: ['bench/mutants/sql/rewrite.ts'],
    // Deaths and histories are drawn anew in each run, by the hundred: what one sees, the next one may not.
    exclude: ['**/crashes.test.ts', 'test/recovery/engine/model.test.ts'],
    include: tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)),
    pool: 'forks',
    maxWorkers: 1,
    // Planted sources count what they come by: the pure sums take many times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
