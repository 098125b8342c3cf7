import { mkdirSync, writeFileSync } from 'node:fs';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import { trainModel } from '../../src/policy/learned/training/train-model.ts';
import { randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { trainingRows } from '../../src/simulator/training-rows.ts';
import { bestFixed, type Comparison, calendar, compare, trainingSeeds } from './compare.ts';
import { onPolicyRows, unweighed } from './on-policy-rows.ts';
import { page } from './page.ts';
import { barChart } from './plot.ts';
import type { Setting } from './setting.ts';
import { heldOutWorlds } from './worlds.ts';

interface Size {
  readonly seeds: number;
  readonly failures: number;
  readonly trained: number;
  readonly chosenBy: number;
}

const sizes: Readonly<Record<'quick' | 'full', Size>> = {
  quick: { seeds: 2, failures: 500, trained: 4_000, chosenBy: 500 },
  full: { seeds: 20, failures: 500, trained: 20_000, chosenBy: 1_500 },
};

/**
 * `npm run bench -- policy` compares the policies and writes docs/policy-worlds.md with its plot; with
 * `--quick` it prints smaller runs and writes nothing.
 */
export async function policy(): Promise<void> {
  const isQuick = process.argv.includes('--quick');
  const size = sizes[isQuick ? 'quick' : 'full'];
  const model = train(size.trained);
  const comparisons = settingsOf(size, isQuick).map((setting) => {
    const { maxAttempts, windowDays, world } = setting;
    const best = bestFixed(maxAttempts, windowDays, size.chosenBy);
    const whole = world === heldOutWorlds.base && windowDays === 28 && maxAttempts < 15;
    process.stderr.write(`${world.name}, ${maxAttempts} tries in ${windowDays} days\n`);
    return compare(setting, { model, best, whole });
  });
  const coldStarts = [1_000, 10_000].flatMap((count) =>
    [heldOutWorlds.base, heldOutWorlds.otherFigures].map((world) => {
      const failures = isQuick ? count / 10 : count;
      const seeds = [900 + count];
      const setting = { world, maxAttempts: 8, windowDays: 28, seeds, failures };
      return compare(setting, {
        model: priorModel,
        best: bestFixed(8, 28, size.chosenBy),
        whole: false,
      });
    }),
  );
  const text = page({ comparisons, coldStarts, model });
  process.stdout.write(text);
  if (isQuick) return;
  mkdirSync('docs', { recursive: true });
  writeFileSync('docs/policy-worlds.md', text);
  writeFileSync('docs/policy-worlds.svg', barChart(comparisons.filter(isWhole)));
}

function isWhole({ all }: Comparison): boolean {
  return all.length > 4;
}

/**
 * A model of the training world's tries, begun from the prior: at random hours, and then as many
 * failures again under the model of those.
 */
function train(failures: number) {
  const options = { version: 'bench', calendar, prior: priorModel };
  const budgets = [4, 8] as const;
  const random = trainingSeeds.flatMap((seed, index) => {
    const policy = randomPolicy(1, budgets[index] ?? 8);
    return trainingRows({ seed, failures: failures / 2, days: 28, policy });
  });
  const model = trainModel(random, options);
  const chosen = budgets.flatMap((maxAttempts, index) =>
    onPolicyRows({ model, seed: 200 + index, failures: failures / 2, maxAttempts, days: 28 }),
  );
  return trainModel(unweighed([...random, ...chosen]), options);
}

function settingsOf({ seeds, failures }: Size, isQuick: boolean): readonly Setting[] {
  const { base, ...others } = heldOutWorlds;
  const common = { seeds: Array.from({ length: seeds }, (_, at) => 1 + at), failures };
  const grid = [4, 8, 15].flatMap((maxAttempts) =>
    [28, 14, 60].map((windowDays) => ({ world: base, maxAttempts, windowDays, ...common })),
  );
  const varied = Object.values(others).flatMap((world) =>
    [4, 8].map((maxAttempts) => ({ world, maxAttempts, windowDays: 28, ...common })),
  );
  const all = [...grid, ...varied];
  return isQuick
    ? all.filter(({ maxAttempts, windowDays }) => maxAttempts === 4 && windowDays === 28)
    : all;
}
