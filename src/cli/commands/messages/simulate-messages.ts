import type { Command } from 'commander';
import { defaultMessageSettings } from '../../../domain/messages/message-settings.ts';
import {
  type ArmSums,
  type MessageReport,
  measureMessages,
} from '../../../recovery/messages/measure-messages.ts';
import { type MessagedPayment, runMessages } from '../../../simulator/messages/run-messages.ts';
import { knownPolicies } from '../../../simulator/policies/known-policies.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { measuredText, shareText } from '../../share-text.ts';
import { table } from '../../table.ts';
import { wholeNumber } from '../../whole-number.ts';

interface Options extends ShowOptions {
  readonly failures: string;
  readonly seed: string;
  readonly days: string;
  readonly messages: string;
  readonly gapHours: string;
  readonly holdout: string;
}

/** Groups of payers, as the report of a merchant has them. */
const groups = 200;

/** recoup simulate messages: what messages to customers bring in the simulated world. It asks no service. */
export function addSimulateMessages(simulate: Command, cli: Cli): void {
  simulate
    .command('messages')
    .description(
      'compare payments with messages to customers and without; needs no running service',
    )
    .option('--failures <number>', 'failed payments to simulate, 1000 to 1000000', '50000')
    .option('--seed <number>', 'the simulated world', '1')
    .option('--days <number>', 'window of each recovery, 1 to 60', '28')
    .option('--messages <number>', 'messages about one payment, 1 to 10', '3')
    .option('--gap-hours <number>', 'hours between two messages, 1 to 720', '72')
    .option('--holdout <percent>', 'percent of payments without messages, 1 to 50', '10')
    .addHelpText(
      'after',
      examples(
        'simulate messages',
        'simulate messages --failures 200000 --messages 5 --holdout 50',
      ),
    )
    .action((options: Options) => {
      const failures = wholeNumber('--failures', options.failures, 1_000, 1_000_000);
      const seed = wholeNumber('--seed', options.seed, 0, 2 ** 31 - 1);
      const days = wholeNumber('--days', options.days, 1, 60);
      const settings = {
        ...defaultMessageSettings,
        maxMessages: wholeNumber('--messages', options.messages, 1, 10),
        gapHours: wholeNumber('--gap-hours', options.gapHours, 1, 720),
        holdoutShare: wholeNumber('--holdout', options.holdout, 1, 50) / 100,
      };
      const [policy] = knownPolicies(seed, days);
      if (policy === undefined) throw new CliError(exitCodes.usage, 'No policy is known.');
      const played = runMessages({ seed, failures, days, policy, settings });
      const result = resultOf(played);
      cli.show(options, { seed, failures, days, policy: policy.name, ...result }, () =>
        resultText(result),
      );
    });
}

interface Result {
  readonly waiting: number;
  readonly messages: number;
  readonly stopped: number;
  readonly report: MessageReport | undefined;
  /** Of all payments that waited, with everybody written to less nobody: known here alone. */
  readonly trueDifference: number;
}

function resultOf(played: readonly MessagedPayment[]): Result {
  const share = (is: (payment: MessagedPayment) => boolean) =>
    played.filter(is).length / Math.max(1, played.length);
  return {
    waiting: played.length,
    messages: played.reduce((sum, { messages }) => sum + messages, 0),
    stopped: played.filter((payment) => payment.stoppedByMessage).length,
    report: measureMessages(played.map(sumsOf))[0],
    trueDifference:
      share((payment) => payment.isRecoveredTold) - share((payment) => payment.isRecoveredUntold),
  };
}

function sumsOf({ index, arm, amountMinor, isRecovered }: MessagedPayment): ArmSums {
  return {
    currency: 'USD',
    arm,
    group: index % groups,
    payments: 1,
    failedMinor: amountMinor,
    recovered: isRecovered ? 1 : 0,
    recoveredMinor: isRecovered ? amountMinor : 0,
    open: 0,
  };
}

function resultText({ waiting, messages, stopped, report, trueDifference }: Result): string {
  const arms =
    report === undefined
      ? []
      : [
          { name: 'with messages', arm: report.messages },
          { name: 'held out', arm: report.holdout },
        ];
  const rows = table(
    arms,
    [
      { head: 'PAYMENTS', text: ({ name }) => name },
      { head: 'N', text: ({ arm }) => String(arm.payments), align: 'right' },
      { head: 'RECOVERED', text: ({ arm }) => String(arm.recovered), align: 'right' },
      { head: 'RATE', text: ({ arm }) => measuredText(arm.recoveredRate, 2) },
    ],
    'No payment waited for its customer.',
  );
  const rate = report?.verdict?.rate;
  return [
    `${waiting} payments waited for their customer; ${messages} messages were sent, ${stopped} made a payer cancel.`,
    rows,
    `Difference of the rates, as a merchant measures it: ${measuredText(rate, 2)}.`,
    `Had everybody been written to, and nobody: ${shareText(trueDifference, 2)} (the truth of this world).`,
  ].join('\n\n');
}
