import type { Clock } from '../../domain/clock.ts';
import { runWhatIfs } from '../../jobs/background/run-what-ifs.ts';
import type { BackgroundJob } from '../../jobs/background-job.ts';
import { runWhatIf } from '../../recovery/what-if/run-what-if.ts';
import type { WhatIfStore } from '../../recovery/what-if/what-if-ports.ts';
import type { Database } from '../../store/database.ts';
import { readRecordedCharges } from '../../store/learned/recorded-charges.ts';
import { startTester } from './start-tester.ts';

/** The job that runs what-ifs: charges of the database, and a thread that tests on them. */
export function whatIfJob(deps: {
  readonly clock: Clock;
  readonly db: Database;
  readonly whatIfs: WhatIfStore;
}): BackgroundJob {
  const { clock, db, whatIfs } = deps;
  const readCharges = (input: Parameters<typeof readRecordedCharges>[1]) =>
    readRecordedCharges(db, input);
  return runWhatIfs({
    run: (job) => runWhatIf({ clock, store: whatIfs, startTester, readCharges }, job),
  });
}
