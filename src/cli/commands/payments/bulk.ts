import { Argument, type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { secondMs } from '../../../domain/clock.ts';
import { waits } from '../../../domain/states.ts';
import type { bulkShape } from '../../../operator/bulk/bulk-shape.ts';
import { bulkActions, openStates } from '../../../recovery/bulk/bulk-ports.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { type OperatorClient, pathOf } from '../../operator-client.ts';
import { heldByOption } from './held-by-option.ts';

type Bulk = Static<typeof bulkShape>;

interface BulkOptions extends ShowOptions {
  readonly status?: string;
  readonly waitingFor?: string;
  readonly heldBy?: string;
  readonly from?: string;
  readonly until?: string;
  readonly reason?: string;
  readonly preview?: true;
  readonly wait?: true;
}

const lookMs = secondMs / 2;

/** recoup payments bulk */
export function addBulk(payments: Command, cli: Cli): void {
  payments
    .command('bulk')
    .description('stop, retry or set aside many payments')
    .addArgument(
      new Argument('<action>', 'what to do to each payment').choices([
        ...bulkActions.map((action) => action.replace('_', '-')),
      ]),
    )
    .argument('<merchant>')
    .option('--reason <words>', 'why; kept with each payment')
    .addOption(new Option('--status <status>', 'only this state').choices(openStates))
    .addOption(
      new Option('--waiting-for <whom>', 'only scheduled payments that wait for this').choices(
        waits,
      ),
    )
    .addOption(heldByOption())
    .option('--from <time>', 'only payments whose recovery began at this time or later')
    .option('--until <time>', 'only payments whose recovery began before this time (default: now)')
    .option('--preview', 'only show how many would be affected')
    .option('--wait', 'wait until every payment was handled, with a progress bar')
    .addHelpText(
      'after',
      `${examples(
        'payments bulk retry mer_3v5k… --status scheduled --preview',
        "payments bulk retry mer_3v5k… --from 2026-03-01T00:00:00Z --reason 'the processor was down' --wait",
        "payments bulk retry mer_3v5k… --held-by set_aside --reason 'the processor is back'",
        "payments bulk stop mer_3v5k… --waiting-for customer --until 2026-02-01T00:00:00Z --reason 'too old'",
        "payments bulk set-aside mer_3v5k… --reason 'until their account is moved'",
      )}
The service does the work, and continues if this command is interrupted.`,
    )
    .action((action: string, merchant: string, options: BulkOptions) =>
      bulk(cli, { action: action.replace('-', '_'), merchant }, options),
    );
}

async function bulk(
  cli: Cli,
  { action, merchant }: { readonly action: string; readonly merchant: string },
  options: BulkOptions,
): Promise<void> {
  const client = await cli.open();
  const path = `/merchants${pathOf(merchant)}/bulk-actions`;
  const scope = {
    status: options.status,
    waiting_for: options.waitingFor,
    held_by: options.heldBy,
    created_from: options.from,
    created_to: options.until,
  };
  if (options.preview) {
    const counted = await client.get<{ count: number }>(`${path}/count`, scope);
    cli.show(options, counted, () => `Payments of these filters: ${counted.count}.`);
    return;
  }
  if (options.reason === undefined) {
    throw new CliError(exitCodes.usage, 'Say why with --reason, or look first with --preview.');
  }
  const begun = await client.post<Bulk>(path, { action, reason: options.reason, ...scope });
  const shown = options.wait ? await untilDone(cli, client, `${path}${pathOf(begun.id)}`) : begun;
  cli.show(options, shown, () => bulkText(shown));
}

async function untilDone(cli: Cli, client: OperatorClient, path: string): Promise<Bulk> {
  try {
    for (;;) {
      const shown = await client.get<Bulk>(path);
      if (shown.state === 'done') return shown;
      const looked = lookedAt(shown);
      cli.progress.show(looked / Math.max(1, shown.matched), `${looked} of ${shown.matched}`);
      await cli.pause(lookMs);
    }
  } finally {
    cli.progress.end();
  }
}

function lookedAt({ done, not_done: notDone }: Bulk): number {
  return notDone.reduce((sum, { count }) => sum + count, done);
}

function bulkText(shown: Bulk): string {
  const { id, matched, state, done, not_done: notDone, moved = 0 } = shown;
  if (state === 'running') return `${id} is at work on ${matched}.`;
  return [
    `Done: ${done} of ${matched}.`,
    ...notDone.map(({ because, count }) => `Not done: ${count}. ${because}.`),
    ...(moved > 0 ? [`No longer of these filters when it came to them: ${moved}.`] : []),
  ].join('\n');
}
