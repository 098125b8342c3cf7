import { startJobQueue } from '../../src/jobs/job-queue.ts';
import { databaseFault } from '../../src/store/database-fault.ts';

/** A process that takes the job `bulk` and never ends it, until it is killed. */
const log = { info() {}, warn() {}, error() {} };
await startJobQueue(
  { clock: { now: () => new Date() }, log, databaseFault },
  {
    connectionString: process.argv[2] ?? '',
    schema: process.argv[3] ?? '',
    applicationName: 'recoup jobs',
    work: true,
    jobs: [
      {
        name: 'bulk',
        onDemand: true,
        async run() {
          process.stdout.write('running\n');
          await new Promise(() => undefined);
        },
      },
    ],
  },
);
