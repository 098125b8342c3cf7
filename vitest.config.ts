import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One database cluster for the whole run; test files clone its template.
    globalSetup: ['test/kits/cluster.global.ts'],
    // Processes, not threads: tests start and kill children, and change what a process has one of.
    pool: 'forks',
    maxWorkers: 2,
    // Starting a server on a slow or loaded machine takes seconds, not milliseconds.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
