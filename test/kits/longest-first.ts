import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, longest first; all else comes after it. Whichever file comes last, the others
 * wait for it, so that must not be one of these. Measured, not remembered from an earlier run: a
 * fresh checkout has none.
 */
const long = [
  'test/e2e/kill.test.ts',
  'test/e2e/first-run.test.ts',
  'test/e2e/',
  'test/store/embedded/',
  'test/dashboard/whole/every-page.test.ts',
  'test/faults/planted.test.ts',
  'test/dashboard/pictures/every-page.test.ts',
  'test/jobs/killed-worker.test.ts',
  'test/dashboard/whole/jobs.test.ts',
  'test/cli/recoup.test.ts',
  'test/dashboard/',
  'test/faults/',
  '/crashes.test.ts',
];

/** Files that run apart come first: a process that serves several ends when another is called for. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = long.findIndex((part) => moduleId.includes(part));
  return found === -1 ? long.length : found;
}
