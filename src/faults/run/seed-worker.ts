import { openFaultRig } from './fault-rig.ts';
import type { SeedOrder, SeedReply } from './run-seeds.ts';
import { reportOfSeed } from './seed-report.ts';

/** A process that plays the seeds that it is told, on the database that it was started with. */
const rig = await openFaultRig(process.argv[2] ?? '');

process.on('message', (order: SeedOrder | 'end') => {
  if (order === 'end') void rig.close().then(() => process.disconnect?.());
  else void play(order);
});

async function play(order: SeedOrder): Promise<void> {
  const fromMs = performance.now();
  const reply: SeedReply = await rig.run(order).then(
    (run) => reportOfSeed(order.seed, run, performance.now() - fromMs),
    (error: unknown) => ({ seed: order.seed, failure: String(error) }),
  );
  process.send?.(reply);
}

process.send?.('ready');
