import { priorModel } from '../../src/policy/learned/prior-model.ts';
import { trainModel } from '../../src/policy/learned/training/train-model.ts';
import { randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { trainingRows } from '../../src/simulator/training-rows.ts';
import { calendar } from './compare.ts';

const failures = { quick: 20_000, full: 400_000 };

/** Training on a million tries (`--quick`: fifty thousand): CPU seconds and memory. */
export async function training(): Promise<void> {
  const size = failures[process.argv.includes('--quick') ? 'quick' : 'full'];
  const rows = trainingRows({ seed: 1, failures: size, days: 28, policy: randomPolicy(1, 5) });
  const before = process.cpuUsage();
  const model = trainModel(rows, { version: 'bench', calendar, prior: priorModel });
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    `training: ${rows.length} tries in ${((user + system) / 1e6).toFixed(1)} s of CPU ` +
      `(budget 60 for a million), ${megabytes.toFixed(0)} MB at most (budget 2048); ` +
      `${model.use}, ${model.trees.length} trees\n`,
  );
}
