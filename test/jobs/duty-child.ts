import { startDutyQueue } from '../../src/jobs/duty-queue.ts';

/** A process that takes the duty `bulk` and never ends it, until it is killed. */
const log = { info() {}, warn() {}, error() {} };
await startDutyQueue(
  { clock: { now: () => new Date() }, log },
  {
    connectionString: process.argv[2] ?? '',
    work: true,
    duties: [
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
