import type { Command } from 'commander';
import { secondMs } from '../../../domain/clock.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { type OperatorClient, pathOf } from '../../operator-client.ts';

interface Begun {
  readonly queued: number;
  readonly begun_at: string;
}

interface Left {
  readonly exhausted: number;
  readonly waiting: number;
  readonly failing: number;
}

interface ReplayOptions extends ShowOptions {
  readonly since: string;
  readonly wait?: true;
}

const lookMs = secondMs / 2;
/** Looks after which it is asked for again: a request that came while another one ended is lost. */
const looksOfOneRequest = 20;

/** recoup deliveries replay-exhausted */
export function addReplayExhausted(deliveries: Command, cli: Cli): void {
  deliveries
    .command('replay-exhausted')
    .description('sends again everything that was given up on')
    .argument('<merchant>')
    .requiredOption('--since <time>', 'of events created at this time or later')
    .option('--wait', 'waits until each was sent once, with a progress bar')
    .addHelpText(
      'after',
      `${examples('deliveries replay-exhausted mer_3v5k… --since 2026-03-01T00:00:00Z --wait')}
The service does the work, and goes on when this command is interrupted. Run again, it takes what
is left: nothing is queued twice.`,
    )
    .action(async (merchant: string, options: ReplayOptions) => {
      const client = await cli.open();
      const path = `${deliveriesOf(merchant)}/replay`;
      const begun = await client.post<Begun>(path, { since: options.since });
      if (options.wait === undefined) {
        cli.show(options, begun, () => `Queued: ${begun.queued}.`);
        return;
      }
      const left = await untilSent(cli, client, { path, since: options.since, begun });
      const answer = { queued: begun.queued, failing: left.failing };
      cli.show(options, answer, () => doneText(begun, left));
    });
}

export function deliveriesOf(merchant: string): string {
  return `/merchants${pathOf(merchant)}/deliveries`;
}

async function untilSent(
  cli: Cli,
  client: OperatorClient,
  input: { readonly path: string; readonly since: string; readonly begun: Begun },
): Promise<Left> {
  const { path, since, begun } = input;
  try {
    for (let look = 1; ; look += 1) {
      const left = await client.get<Left>(path, { since, until: begun.begun_at });
      const open = left.exhausted + left.waiting;
      if (open === 0) return left;
      const total = Math.max(begun.queued, open);
      cli.progress.show((total - open) / total, `${total - open} of ${total} sent`);
      if (left.exhausted > 0 && look % looksOfOneRequest === 0) await client.post(path, { since });
      await cli.pause(lookMs);
    }
  } finally {
    cli.progress.end();
  }
}

function doneText({ queued }: Begun, { failing }: Left): string {
  const sent = `Sent again: ${queued}.`;
  if (failing === 0) return sent;
  return `${sent} Not taken: ${failing} of that time; each is sent again every 12 hours for 7 days.`;
}
