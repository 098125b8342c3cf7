import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { Proof } from '../../../faults/run/prove-planted.ts';
import type { SeedOrder, SeedReply } from '../../../faults/run/run-seeds.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { wholeNumber } from '../../whole-number.ts';
import { type FaultTotals, faultText, proofTable, seedLine } from './fault-text.ts';

interface FaultOptions extends ShowOptions {
  readonly seed: string;
  readonly seeds?: string;
  readonly days: string;
  readonly payments: string;
  readonly for?: string;
  readonly workers?: string;
  readonly trace?: string;
  readonly planted?: string;
}

const maxSeed = 2 ** 31 - 1;

/** recoup simulate faults: the service under faults that a seed draws. It asks no service. */
export function addSimulateFaults(simulate: Command, cli: Cli): void {
  simulate
    .command('faults')
    .description(
      'run the service under simulated faults and check its promises; needs no running service',
    )
    .option('--seed <number>', 'the simulated world and its faults', '1')
    .option('--seeds <first..last>', 'run several seeds, one after another')
    .option('--days <number>', 'days with faults, 2 to 60', '28')
    .option('--payments <number>', 'failed payments in each world, 1 to 500', '50')
    .option('--for <duration>', 'run as many seeds from --seed on as fit into 30s, 20m or 1h')
    .option('--workers <number>', 'processes that run seeds (default: one per core)')
    .option('--planted <name>', 'prove the checker with a planted bug, or with `all` of them')
    .option('--trace <file>', 'write everything that happened to this file; needs a single seed')
    .addHelpText(
      'after',
      examples(
        'simulate faults --seed 7 --trace seed-7.txt',
        'simulate faults --for 1h',
        'simulate faults --planted all --days 6 --payments 12',
      ),
    )
    .action(async (options: FaultOptions) => {
      const days = wholeNumber('--days', options.days, 2, 60);
      const payments = wholeNumber('--payments', options.payments, 1, 500);
      const world = { days, payments };
      if (options.planted !== undefined) await proveChecker(cli, options, world, options.planted);
      else if (options.trace === undefined) await playSeeds(cli, options, world);
      else await traceSeed(cli, options, world, options.trace);
    });
}

type World = Pick<SeedOrder, 'days' | 'payments'>;

async function playSeeds(cli: Cli, options: FaultOptions, world: World): Promise<void> {
  const { runSeeds } = await import('../../../faults/run/run-seeds.ts');
  const { first, last, endsAt } = rangeOf(cli, options);
  const replies: SeedReply[] = [];
  let seed = first;
  await runSeeds({
    workers: Math.min(workersOf(options), last - first + 1),
    next() {
      if (seed > last || cli.now().getTime() >= endsAt) return undefined;
      seed += 1;
      return { ...world, seed: seed - 1 };
    },
    onReply(reply) {
      replies.push(reply);
      cli.note(seedLine(reply));
      const broken = replies.filter(isBroken).length;
      const share = last < maxSeed ? replies.length / (last - first + 1) : 0;
      cli.progress.show(share, `${replies.length} seeds, ${broken} broke a promise`);
    },
  });
  cli.progress.end();
  tell(cli, options, { ...world, replies: replies.toSorted((a, b) => a.seed - b.seed) });
}

/** Each bug is to be caught within so many seeds. */
const maxPlantedSeeds = 200;

async function proveChecker(
  cli: Cli,
  options: FaultOptions,
  world: World,
  wanted: string,
): Promise<void> {
  const { startFaultRig } = await import('../../../faults/run/fault-rig.ts');
  const { provePlanted } = await import('../../../faults/run/prove-planted.ts');
  const { allPlanted } = await import('../../../faults/planted/all-planted.ts');
  const { knownSeeds } = await import('../../../faults/planted/known-seeds.ts');
  const bugs = allPlanted.filter(({ name }) => wanted === 'all' || name === wanted);
  if (bugs.length === 0) {
    const names = allPlanted.map(({ name }) => name).join(', ');
    throw new CliError(exitCodes.usage, `--planted must be all or one of ${names}.`);
  }
  const rig = await startFaultRig();
  try {
    let done = 0;
    const onProof = ({ name, caught }: Proof) => {
      done += 1;
      cli.note(`${name}: ${caught === undefined ? 'not seen' : `seen by seed ${caught.seed}`}`);
      cli.progress.show(done / bugs.length, `${done} of ${bugs.length} planted bugs`);
    };
    const proofs = await provePlanted(rig, {
      ...world,
      bugs,
      onProof,
      maxSeeds: maxPlantedSeeds,
      knownSeeds,
    });
    cli.progress.end();
    cli.show(options, { ...world, proofs }, () => proofTable(proofs));
    const missed = proofs.filter((proof) => proof.caught === undefined);
    if (missed.length === 0) return;
    const names = missed.map(({ name }) => name).join(', ');
    throw new CliError(exitCodes.refused, `The checker did not see ${names}.`);
  } finally {
    await rig.close();
  }
}

async function traceSeed(
  cli: Cli,
  options: FaultOptions,
  world: World,
  path: string,
): Promise<void> {
  const seed = wholeNumber('--seed', options.seed, 0, maxSeed);
  const { startFaultRig } = await import('../../../faults/run/fault-rig.ts');
  const { reportOfSeed } = await import('../../../faults/run/seed-report.ts');
  const lines: string[] = [];
  const rig = await startFaultRig();
  try {
    const fromMs = cli.now().getTime();
    const run = await rig.run({ ...world, seed, onLine: (line) => lines.push(line) });
    await cli.writeFile(path, Buffer.from(`${lines.join('\n')}\n`));
    tell(cli, options, {
      ...world,
      replies: [reportOfSeed(seed, run, cli.now().getTime() - fromMs)],
    });
  } finally {
    await rig.close();
  }
}

function tell(cli: Cli, options: FaultOptions, totals: FaultTotals): void {
  cli.show(options, totals, () => faultText(totals));
  const broken = totals.replies.filter(isBroken);
  if (broken.length === 0) return;
  const seeds = broken.map((reply) => reply.seed).slice(0, 20);
  throw new CliError(exitCodes.refused, `${broken.length} seeds broke a promise: ${seeds}.`);
}

export function isBroken(reply: SeedReply): boolean {
  return 'failure' in reply || reply.violations.length > 0;
}

function rangeOf(cli: Cli, options: FaultOptions) {
  const first = wholeNumber('--seed', options.seed, 0, maxSeed);
  if (options.for !== undefined) {
    const endsAt = cli.now().getTime() + durationMs(options.for);
    return { first, last: maxSeed, endsAt };
  }
  const endsAt = Number.POSITIVE_INFINITY;
  if (options.seeds === undefined) return { first, last: first, endsAt };
  const [, from = '', to = ''] = /^(\d+)\.\.(\d+)$/.exec(options.seeds) ?? [];
  const min = wholeNumber('--seeds', from, 0, maxSeed);
  return { first: min, last: wholeNumber('--seeds', to, min, maxSeed), endsAt };
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function durationMs(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  if (count === undefined) {
    throw new CliError(exitCodes.usage, '--for must be a time such as 30s, 20m or 1h.');
  }
  return Number(count) * (units[unit] ?? 0);
}

function workersOf({ workers }: FaultOptions): number {
  if (workers === undefined) return availableParallelism();
  return wholeNumber('--workers', workers, 1, 64);
}
