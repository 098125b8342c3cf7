import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/kits/longest-first.ts';
import { timeLimitMs } from './test/kits/time-limit.ts';

/**
 * Files that start, kill or signal processes, that keep state in a module for their own tests, or that put something in
 * a module's place, which is too late where another file has loaded it: each in a process of its own.
 */
const apart = [
  'test/e2e/**/*.test.ts',
  'test/sdk/examples.test.ts',
  'test/sdk/runtimes/**/*.test.ts',
  'test/store/embedded/**/*.test.ts',
  'test/store/hosts/failover.test.ts',
  'test/store/wall/every-statement.test.ts',
  'test/store/wall/raise-wall.test.ts',
];
const all = ['test/**/*.test.ts'];

export default defineConfig({
  // The SDK's sources, so that tests of examples need no build of it.
  resolve: {
    alias: [
      { find: /^@recoup\/sdk$/, replacement: `${import.meta.dirname}/sdk/src/index.ts` },
      {
        find: /^@recoup\/sdk\/(.+)$/,
        replacement: `${import.meta.dirname}/sdk/src/adapters/$1.ts`,
      },
    ],
  },
  test: {
    // One database cluster for the whole run, started by the first test that asks for it; test
    // files clone its template.
    globalSetup: ['test/kits/cluster.global.ts'],
    // Processes, not threads: tests start and kill children, and change what a process has one of.
    pool: 'forks',
    // One more than the cores of the machine that is asked for: tests wait for what they start.
    maxWorkers: 3,
    // What takes seconds alone takes ten times as long on a slow machine that other work shares.
    testTimeout: timeLimitMs(60_000),
    hookTimeout: timeLimitMs(120_000),
    // Of the same reason; the default is a second.
    expect: { poll: { timeout: timeLimitMs(20_000) } },
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      // The other files share two processes: loading the SDKs and servers anew for each of them
      // takes longer than most of their tests.
      { extends: true, test: { name: 'shared', include: all, exclude: apart, isolate: false } },
    ],
  },
});
