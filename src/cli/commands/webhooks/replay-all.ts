import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { secondMs } from '../../../domain/clock.ts';
import { eventTypes } from '../../../domain/states.ts';
import type { replayShape } from '../../../operator/replays/replay-shape.ts';
import { replayStatuses } from '../../../recovery/replays/replay-ports.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { type OperatorClient, pathOf } from '../../operator-client.ts';

type Replay = Static<typeof replayShape>;

interface ReplayOptions extends ShowOptions {
  readonly from: string;
  readonly until?: string;
  readonly status?: string;
  readonly type?: string;
  readonly endpoint?: string;
  readonly preview?: true;
  readonly wait?: true;
}

const lookMs = secondMs / 2;

export const endpointOption = "this further endpoint (default: the merchant's own webhook address)";

/** recoup deliveries replay-all */
export function addReplayAll(deliveries: Command, cli: Cli): void {
  deliveries
    .command('replay-all')
    .description('send many events again: those given up on, or those that the options select')
    .argument('<merchant>')
    .requiredOption('--from <time>', 'only events created at this time or later')
    .option('--until <time>', 'only events created before this time (default: now)')
    .addOption(
      new Option('--status <status>', 'only this state (default: exhausted)').choices(
        replayStatuses,
      ),
    )
    .addOption(new Option('--type <type>', 'only events of this type').choices(eventTypes))
    .option('--endpoint <endpoint>', endpointOption)
    .option('--preview', 'only show how many would be affected')
    .option('--wait', 'wait until each event was sent once, with a progress bar')
    .addHelpText(
      'after',
      `${examples(
        'deliveries replay-all mer_3v5k… --from 2026-03-01T00:00:00Z --preview',
        'deliveries replay-all mer_3v5k… --from 2026-03-01T00:00:00Z --wait',
        'deliveries replay-all mer_3v5k… --from 2026-03-08T00:00:00Z --until 2026-03-09T00:00:00Z --status any',
      )}
Bodies and ids stay the same. The service does the work, and continues if this command is interrupted.`,
    )
    .action((merchant: string, options: ReplayOptions) => replayAll(cli, merchant, options));
}

async function replayAll(cli: Cli, merchant: string, options: ReplayOptions): Promise<void> {
  const client = await cli.open();
  const of = `/merchants${pathOf(merchant)}`;
  const { from, until, status, type, endpoint: endpoint_id } = options;
  const scope = { from, until, status, type, endpoint_id };
  if (options.preview) {
    const counted = await client.get<{ count: number }>(`${of}/deliveries/count`, scope);
    cli.show(options, counted, () => `Would be sent again: ${counted.count}.`);
    return;
  }
  const begun = await client.post<Replay>(`${of}/replays`, scope);
  if (options.wait === undefined) {
    cli.show(options, begun, () => `${begun.id} sends ${begun.matched} again.`);
    return;
  }
  const replay = await untilSent(cli, client, `${of}/replays${pathOf(begun.id)}`);
  cli.show(options, replay, () => sentText(replay));
}

async function untilSent(cli: Cli, client: OperatorClient, path: string): Promise<Replay> {
  try {
    for (;;) {
      const replay = await client.get<Replay>(path);
      const { state, matched, queued, waiting } = replay;
      if (state === 'done' && waiting === 0) return replay;
      const total = Math.max(matched, queued);
      const sent = queued - waiting;
      cli.progress.show(sent / Math.max(1, total), `${sent} of ${total} sent`);
      await cli.pause(lookMs);
    }
  } finally {
    cli.progress.end();
  }
}

function sentText({ queued, failing, exhausted, superseded }: Replay): string {
  const parts = [
    `Sent again: ${queued - superseded}.`,
    failing > 0 && `Not accepted: ${failing}; each is sent again every 12 hours for 7 days.`,
    exhausted > 0 && `Given up: ${exhausted}.`,
    superseded > 0 && `Taken over by a later replay: ${superseded}.`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}
