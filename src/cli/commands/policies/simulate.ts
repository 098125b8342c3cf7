import { type Command, Option } from 'commander';
import { type AcceptanceResult, measureAcceptance } from '../../../simulator/acceptance.ts';
import { netValueMinor } from '../../../simulator/net-value.ts';
import type { SimulatedPolicy } from '../../../simulator/observed.ts';
import { parameters } from '../../../simulator/parameters.ts';
import { knownPolicies } from '../../../simulator/policies/known-policies.ts';
import { noRetries } from '../../../simulator/policies/simple-policies.ts';
import { runWorld } from '../../../simulator/run-world.ts';
import { type CodeSummary, type Summary, summarise } from '../../../simulator/summarise.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { shareText } from '../../share-text.ts';
import { table } from '../../table.ts';
import { wholeNumber } from '../../whole-number.ts';
import { addSimulateFaults } from '../faults/simulate-faults.ts';
import { addSimulateMessages } from '../messages/simulate-messages.ts';

interface SimulateOptions extends ShowOptions {
  readonly failures: string;
  readonly seed: string;
  readonly days: string;
  readonly policy?: string;
  readonly endToEnd?: true;
  readonly wrong?: true;
  readonly messages?: true;
  readonly whole?: true;
}

/** The targets need sixteen runs; more failures than this hardly sharpen them. */
const maxTargetFailures = 10_000;

/** recoup simulate: retry policies in a simulated world. It asks no service. */
export function addSimulate(program: Command, cli: Cli): void {
  const simulate = program.command('simulate');
  // What stands after `faults` or `messages` is its own.
  simulate
    .enablePositionalOptions()
    .description('compare retry policies on simulated failed payments; needs no running service')
    .option('--failures <number>', 'failed payments to simulate, 1000 to 1000000', '5000')
    .option('--seed <number>', 'the simulated world', '1')
    .option('--days <number>', 'window of each recovery, 1 to 60', '28')
    .option('--policy <name>', 'only this policy, with its results by first code')
    .option('--json', 'print the result as JSON')
    .option(
      '--end-to-end',
      'run the whole service, with its clock moved through --days and nightly training',
    )
    .option('--wrong', 'with --end-to-end: make every model wrong on purpose; it has to be noticed')
    .option(
      '--messages',
      'with --end-to-end: send messages to customers, without training, and compare with the same world without messages',
    )
    // Its name until it was called end-to-end.
    .addOption(new Option('--whole').hideHelp())
    .addHelpText(
      'after',
      examples(
        'simulate',
        'simulate --failures 100000 --policy every_3',
        'simulate --end-to-end --failures 2000 --days 60',
        'simulate --end-to-end --wrong --failures 6000 --days 60',
        'simulate --end-to-end --messages --failures 1500 --days 28',
      ),
    )
    .action(async (options: SimulateOptions) => {
      if (options.endToEnd || options.whole) return playEndToEnd(cli, options);
      refuseAlone(options);
      const failures = wholeNumber('--failures', options.failures, 1_000, 1_000_000);
      const seed = wholeNumber('--seed', options.seed, 0, 2 ** 31 - 1);
      const days = wholeNumber('--days', options.days, 1, 60);
      const known = knownPolicies(seed, days);
      const chosen = known.filter(({ name }) => name === (options.policy ?? name));
      if (chosen.length === 0) {
        const names = known.map(({ name }) => name).join(', ');
        throw new CliError(exitCodes.usage, `--policy must be one of ${names}.`);
      }
      const run = (policy: SimulatedPolicy) =>
        summarise(runWorld({ seed, failures, days, policy }));
      const steps = chosen.length + 2;
      cli.progress.show(0, 'none');
      const none = run(noRetries);
      const summaries = chosen.map((policy, index) => {
        cli.progress.show((index + 1) / steps, policy.name);
        const summary = run(policy);
        return { ...summary, netValueMinor: netValueMinor(summary, none, parameters) };
      });
      cli.progress.show((steps - 1) / steps, 'targets');
      const targets = measureAcceptance({ seed, failures: Math.min(failures, maxTargetFailures) });
      cli.progress.end();
      cli.show(options, { seed, failures, days, policies: summaries, targets }, () =>
        [
          summaryTable(summaries),
          ...(options.policy === undefined ? [] : summaries.map(({ codes }) => codeTable(codes))),
          targetTable(targets),
        ].join('\n\n'),
      );
    });
  addSimulateFaults(simulate, cli);
  addSimulateMessages(simulate, cli);
}

/** What only the whole service has. */
function refuseAlone({ wrong, messages }: SimulateOptions): void {
  const alone = messages ? '--messages' : wrong ? '--wrong' : undefined;
  if (alone === undefined) return;
  throw new CliError(exitCodes.usage, `${alone} goes with --end-to-end.`);
}

/** Asks no running service: it starts one of its own in a folder that is removed at the end. */
async function playEndToEnd(cli: Cli, options: SimulateOptions): Promise<void> {
  const seed = wholeNumber('--seed', options.seed, 0, 2 ** 31 - 1);
  const failures = wholeNumber('--failures', options.failures, 10, 100_000);
  const days = wholeNumber('--days', options.days, 1, 365);
  const tell = (day: number): void => void process.stderr.write(`day ${day} of ${days}\n`);
  const quiet = options.json ? {} : { onDay: tell };
  const isWrong = options.wrong === true;
  if (options.messages === true) {
    if (isWrong) throw new CliError(exitCodes.usage, '--wrong does not go with --messages.');
    const { messagesEndToEndReport, simulateMessagesEndToEnd } = await import(
      '../../end-to-end/simulate-messages-end-to-end.ts'
    );
    const result = await simulateMessagesEndToEnd({ seed, failures, days, ...quiet });
    cli.show(options, { seed, failures, days, ...result }, () => messagesEndToEndReport(result));
    return;
  }
  const { simulateEndToEnd } = await import('../../end-to-end/simulate-end-to-end.ts');
  const { words, ...result } = await simulateEndToEnd({ seed, failures, days, isWrong, ...quiet });
  cli.show(options, { seed, failures, days, ...result }, () => words);
}

function summaryTable(summaries: readonly (Summary & { netValueMinor: number })[]): string {
  return table(
    summaries,
    [
      { head: 'POLICY', text: (row) => row.policy },
      { head: 'AMOUNT', text: (row) => shareText(row.recoveredAmountShare), align: 'right' },
      { head: 'PAYMENTS', text: (row) => shareText(row.recoveredShare), align: 'right' },
      { head: 'BY RETRY', text: (row) => shareText(row.byRetryShare), align: 'right' },
      { head: 'TRIES', text: (row) => row.triesPerFailure.toFixed(2), align: 'right' },
      { head: 'PER RECOVERY', text: (row) => row.triesPerRecovery?.toFixed(2), align: 'right' },
      { head: 'MEDIAN DAYS', text: (row) => row.medianDays?.toFixed(1), align: 'right' },
      { head: 'CANCELLED', text: (row) => shareText(row.cancelledShare), align: 'right' },
      { head: 'FEES', text: (row) => (row.feesMicros / 1_000_000).toFixed(2), align: 'right' },
      {
        head: 'NET',
        text: (row) => shareText(row.netValueMinor / row.failedMinor),
        align: 'right',
      },
    ],
    'none',
  );
}

function codeTable(codes: readonly CodeSummary[]): string {
  return table(
    codes,
    [
      { head: 'FIRST CODE', text: (row) => row.code },
      { head: 'FAILURES', text: (row) => String(row.failures), align: 'right' },
      { head: 'RECOVERED', text: (row) => shareText(row.recoveredShare), align: 'right' },
      { head: 'TRIES', text: (row) => (row.tries / row.failures).toFixed(2), align: 'right' },
    ],
    'none',
  );
}

function targetTable(targets: readonly AcceptanceResult[]): string {
  return table(
    targets,
    [
      { head: 'TARGET OF THE WORLD (28 DAYS)', text: (row) => row.name },
      { head: 'FROM', text: (row) => row.low.toFixed(2), align: 'right' },
      { head: 'TO', text: (row) => row.high.toFixed(2), align: 'right' },
      { head: 'SHOWN', text: (row) => row.value.toFixed(3), align: 'right' },
      { head: 'MET', text: (row) => (row.isMet ? 'yes' : 'no') },
    ],
    'none',
  );
}
