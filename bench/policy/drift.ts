import { mkdirSync, writeFileSync } from 'node:fs';
import type { PolicyModel } from '../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import type { TrainingRow } from '../../src/policy/learned/retry-facts.ts';
import { trainModel } from '../../src/policy/learned/training/train-model.ts';
import { instantOf } from '../../src/simulator/calendar.ts';
import type { SimulatedPolicy } from '../../src/simulator/observed.ts';
import { drawPayer, type Payer } from '../../src/simulator/payer.ts';
import { type Played, playPayment } from '../../src/simulator/play-payment.ts';
import { learnedPolicy } from '../../src/simulator/policies/learned.ts';
import { clairvoyant } from '../../src/simulator/policies/oracles.ts';
import { playForRows } from '../../src/simulator/training-rows.ts';
import { buildWorld, type World } from '../../src/simulator/world.ts';
import { bestFixed, calendar } from './compare.ts';
import { type BenchWorld, heldOutWorlds } from './worlds.ts';

const [windowDays, maxAttempts] = [28, 4];
/** Days before and after the change that are played, and in one figure of the page. */
const [daysAround, daysInFigure] = [90, 15];
/** A service trains every night; every fifth night shows the same at a fifth of the time. */
const trainEveryDays = 5;
const sizes = {
  quick: { seeds: [1], failures: 12_000 },
  full: { seeds: [1, 2], failures: 30_000 },
} as const;

interface Sums {
  failures: number;
  fixed: number;
  still: number;
  trained: number;
  bound: number;
}

const changes = [
  {
    world: heldOutWorlds.base,
    words:
      'The published world: all paydays move by one day at one moment, one of thirty issuers declines ' +
      'twice as often from then on, and every issuer wanders a little from month to month.',
  },
  {
    world: heldOutWorlds.drift,
    words:
      'A harsher one: paydays move by three days, the issuer declines six times as often, and every ' +
      'issuer wanders further.',
  },
] as const;

/**
 * `npm run bench -- drift`: years in which paydays move and an issuer turns strict, with a model that
 * goes on learning from its own log and one that stopped before the change; writes docs/drift.md.
 */
export async function drift(): Promise<void> {
  const isQuick = process.argv.includes('--quick');
  const { seeds, failures } = sizes[isQuick ? 'quick' : 'full'];
  const fixed = bestFixed(maxAttempts, windowDays, 1_500);
  const tables = changes.map(({ world, words }) => {
    const figures = new Map<number, Sums>();
    for (const seed of seeds) playSeed({ seed, failures, fixed, figures, world });
    return `${words}\n\n${table(figures)}\n`;
  });
  const text = page(tables, { seeds: seeds.length, failures });
  process.stdout.write(text);
  if (isQuick) return;
  mkdirSync('docs', { recursive: true });
  writeFileSync('docs/drift.md', text);
}

interface SeedInput {
  readonly seed: number;
  readonly failures: number;
  readonly fixed: SimulatedPolicy;
  readonly world: BenchWorld;
  /** By the days from the change to a cohort's first day. */
  readonly figures: Map<number, Sums>;
}

function playSeed({ seed, failures, fixed, figures, world: { parameters } }: SeedInput): void {
  const world = buildWorld({ seed, days: windowDays, parameters });
  const bound = clairvoyant({ seed, days: windowDays, maxAttempts, parameters });
  const log: TrainingRow[] = [];
  let trained = priorModel;
  let still = priorModel;
  for (const { fromDay, payers } of cohorts(world, failures)) {
    const nowMs = instantOf(world.issuers.regimeHour + fromDay * 24).getTime();
    trained = train(log, nowMs, trained) ?? trained;
    if (fromDay <= 0) still = trained;
    const logging = policyOf(trained, 0.07);
    const sums = figureOf(figures, Math.floor(fromDay / daysInFigure) * daysInFigure);
    for (const payer of payers) {
      const { rows } = playForRows(world, payer, { policy: logging, merchantId: 'merchant' });
      for (const row of rows) log.push(row);
      sums.failures += 1;
      sums.fixed += recovered(playPayment(world, payer, fixed));
      sums.still += recovered(playPayment(world, payer, policyOf(still, 0)));
      sums.trained += recovered(playPayment(world, payer, policyOf(trained, 0)));
      sums.bound += recovered(playPayment(world, payer, bound));
    }
  }
}

/** The payers who failed around the change, by stretches between two trainings, in order of time. */
function cohorts(world: World, failures: number) {
  const stretches = (2 * daysAround) / trainEveryDays;
  const all = Array.from({ length: stretches }, (_, at) => ({
    fromDay: at * trainEveryDays - daysAround,
    payers: [] as Payer[],
  }));
  for (let index = 0; index < failures; index += 1) {
    const payer = drawPayer(world, index);
    const days = (payer.failedHour - world.issuers.regimeHour) / 24 + daysAround;
    all[Math.floor(days / trainEveryDays)]?.payers.push(payer);
  }
  return all.filter(({ payers }) => payers.length > 0);
}

/** As the service trains: by the tries that have ended, from the shipped model on. */
function train(
  log: readonly TrainingRow[],
  nowMs: number,
  { paydayMove }: PolicyModel,
): PolicyModel | undefined {
  const rows = log.filter(({ atMs }) => atMs < nowMs);
  if (rows.length < 500) return undefined;
  return trainModel(rows, { version: 'drift', calendar, prior: priorModel, paydayMove });
}

function policyOf(model: PolicyModel, exploreShare: number) {
  const policy = { exploreShare, salt: 'drift' };
  const learned = learnedPolicy({ model, calendar, windowDays, maxAttempts, policy });
  return { ...learned, maxAttempts, propensity: () => 1 };
}

function figureOf(figures: Map<number, Sums>, fromDay: number): Sums {
  const known = figures.get(fromDay) ?? { failures: 0, fixed: 0, still: 0, trained: 0, bound: 0 };
  figures.set(fromDay, known);
  return known;
}

function recovered({ end }: Played): number {
  return end === 'recovered_by_retry' || end === 'paid_by_payer' ? 1 : 0;
}

function table(figures: ReadonlyMap<number, Sums>): string {
  const rows = [...figures]
    .sort(([a], [b]) => a - b)
    .map(([from, sums]) => {
      const share = (count: number) => `${((100 * count) / sums.failures).toFixed(1)} %`;
      const gap = (count: number) =>
        `${Math.round((100 * (count - sums.fixed)) / (sums.bound - sums.fixed))} %`;
      const { failures, fixed, still, trained, bound } = sums;
      const cells = [
        `${from} to ${from + daysInFigure}`,
        failures,
        share(fixed),
        share(still),
        share(trained),
        share(bound),
        gap(still),
        gap(trained),
      ];
      return `| ${cells.join(' | ')} |`;
    });
  return `| failed, days from the change | n | best fixed | stopped | learning | clairvoyant | gap closed, stopped | gap closed, learning |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}

function page(
  tables: readonly string[],
  { seeds, failures }: { readonly seeds: number; readonly failures: number },
): string {
  return `# When the world changes

Made by \`npm run bench -- drift\`; do not edit. ${seeds} simulated years of ${failures} failures each, around the one
moment of each year at which the world changes. ${maxAttempts} tries in ${windowDays} days; the monitor that falls back to fixed
days when a model no longer predicts what happens is left out.

- **stopped**: the model as it was on the day of the change.
- **learning**: a model trained every ${trainEveryDays} days on the tries of its own log, 7 % of them by chance.
- **gap closed**: between the best fixed schedule and the clairvoyant, as in [policy-worlds.md](policy-worlds.md).
- Payments that failed in the ${windowDays} days before the change are tried after it as well.

${tables.join('\n')}`;
}
