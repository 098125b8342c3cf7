import { learnedDefaults } from '../../src/policy/learned/learned-policy.ts';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import { trainModel } from '../../src/policy/learned/training/train-model.ts';
import { type Parameters, parameters } from '../../src/simulator/parameters.ts';
import { dayPolicy } from '../../src/simulator/policies/fixed-family.ts';
import { learnedPolicy } from '../../src/simulator/policies/learned.ts';
import { clairvoyant } from '../../src/simulator/policies/oracles.ts';
import { decidePolicy, randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { trainingRows } from '../../src/simulator/training-rows.ts';
import { calendar } from './compare.ts';
import { drawnWorld } from './drawn-world.ts';
import { difference, type Figure, gapClosed, recoveredShare } from './intervals.ts';
import { play, type Setting } from './setting.ts';

const [maxAttempts, windowDays] = [budgetOf('tries', 4), budgetOf('days', 28)];
const sizes = {
  quick: { worlds: 6, trained: 1_500, failures: 500 },
  full: { worlds: 40, trained: 6_000, failures: 2_000 },
} as const;

/**
 * `npm run bench -- family [--quick] [--tries=4] [--days=28]`: worlds whose figures are drawn, none of them seen before. Each
 * policy against the even spread: mean, worst, and the share of worlds in which it is not below.
 */
export async function family(): Promise<void> {
  const size = sizes[process.argv.includes('--quick') ? 'quick' : 'full'];
  const gains: Gain[] = [];
  process.stdout.write(
    '| world | even | 1/3/5/7 | trained | clairvoyant | trained to even | gap closed | plans |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n',
  );
  // The published world first, beside those that nobody has seen.
  process.stdout.write(row('base', playWorld(-1, parameters, size)));
  for (let index = 0; index < size.worlds; index += 1) {
    const gain = playWorld(index, drawnWorld('unseen', index), size);
    gains.push(gain);
    process.stdout.write(row(`drawn ${index}`, gain));
  }
  for (const name of ['fixed', 'trained'] as const) process.stdout.write(summary(name, gains));
}

function budgetOf(name: string, usual: number): number {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`));
  return given === undefined ? usual : Number(given.slice(name.length + 3));
}

/** What policies recover in one world, and how far they are from the even spread. */
interface Gain {
  readonly fixed: Figure;
  readonly trained: Figure;
  readonly gap: Figure;
  readonly use: string;
  readonly shares: readonly number[];
}

function playWorld(
  index: number,
  drawn: Parameters,
  size: { readonly trained: number; readonly failures: number },
): Gain {
  const setting: Setting = {
    world: { name: `drawn ${index}`, parameters: drawn },
    maxAttempts,
    windowDays,
    seeds: [7_000 + index],
    failures: size.failures,
  };
  const rows = trainingRows({
    seed: 9_000 + index,
    failures: size.trained,
    days: windowDays,
    policy: randomPolicy(index, maxAttempts),
    parameters: drawn,
  });
  const model = trainModel(rows, { version: 'family', calendar, prior: priorModel });
  const even = play(setting, () => decidePolicy('even', { kind: 'even', windowDays, maxAttempts }));
  const early = play(setting, () => dayPolicy('1/3/5/7', windowDays, [1, 3, 5, 7]));
  // What waiting loses is the world's, as a merchant's own cancellations tell.
  const costs = { ...learnedDefaults.costs, lossPerDay: drawn.cancel.perDayShare };
  const trained = play(setting, () =>
    learnedPolicy({ model, calendar, windowDays, maxAttempts, policy: { costs } }),
  );
  const bound = play(setting, (seed) =>
    clairvoyant({ seed, days: windowDays, maxAttempts, parameters: drawn }),
  );
  return {
    fixed: difference(early, even),
    trained: difference(trained, even),
    gap: gapClosed({ policy: trained, fixed: even, bound }, 'count'),
    use: model.use,
    shares: [even, early, trained, bound].map((one) => recoveredShare(one, 'count').value),
  };
}

function row(name: string, { shares, trained, gap, use }: Gain): string {
  const cells = [
    name,
    ...shares.map(percent),
    `${percent(trained.value)} ± ${percent(trained.half)}`,
    percent(gap.value),
    use,
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function summary(name: 'fixed' | 'trained', gains: readonly Gain[]): string {
  const values = gains.map((gain) => gain[name].value);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const notBelow = values.filter((value) => value >= 0).length / values.length;
  const gaps = gains.map(({ gap }) => gap.value);
  const far = gaps.filter((value) => value >= 0.3).length / gaps.length;
  const words = name === 'fixed' ? '1/3/5/7' : 'trained';
  return `${words} to the even spread: mean ${percent(mean)}, worst ${percent(Math.min(...values))}, not below in ${percent(notBelow)} % of the worlds${name === 'trained' ? `; gap closed, mean ${percent(gaps.reduce((sum, value) => sum + value, 0) / gaps.length)} %, worst ${percent(Math.min(...gaps))} %, 30 % or more in ${percent(far)} % of the worlds` : ''}\n`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
