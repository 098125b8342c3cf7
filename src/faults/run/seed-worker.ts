import { openFaultRig } from './fault-rig.ts';
import type { SeedOrder, SeedReply } from './run-seeds.ts';
import { reportOfSeed, type SeedReport } from './seed-report.ts';

/** A process that plays the seeds that it is told, on the database that it was started with. */
const rig = await openFaultRig(process.argv[2] ?? '');

process.on('message', (order: SeedOrder | 'end') => {
  if (order === 'end') void rig.close().then(() => process.disconnect?.());
  else void play(order);
});
// Nobody is there to be told any more: also where the parent was killed in the middle of a seed.
process.on('disconnect', () => process.exit(0));

async function play(order: SeedOrder): Promise<void> {
  const fromMs = performance.now();
  const reply: SeedReply = await playAndReplay(order, fromMs).catch((error: unknown) => ({
    seed: order.seed,
    failure: String(error),
  }));
  process.send?.(reply);
}

/** What breaks a promise is played again: a finding that does not come back is one of the simulator's. */
async function playAndReplay(order: SeedOrder, fromMs: number): Promise<SeedReport> {
  const report = reportOfSeed(order.seed, await rig.run(order), performance.now() - fromMs);
  if (report.violations.length === 0) return report;
  return { ...report, againHash: (await rig.run(order)).hash };
}

process.send?.('ready');
