import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { messageShape } from '../../../operator/alerts/list-alert-messages.ts';
import type { Cli } from '../../cli.ts';
import { more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';

type Message = Static<typeof messageShape>;

interface SentOptions extends PageOptions {
  readonly channel?: string;
  readonly state?: string;
}

/** recoup alerts sent */
export function addSent(alerts: Command, cli: Cli): void {
  addPageOptions(alerts.command('sent').description('list alerts that were sent, newest first'))
    .option('--channel <channel>', 'only alerts sent to this channel')
    .option('--state <state>', 'pending, sent or given_up')
    .action(async (options: SentOptions) => {
      const client = await cli.open();
      const { channel: channel_id, state, limit, cursor } = options;
      const page = await client.get<{ items: Message[]; next_cursor?: string }>('/alert-messages', {
        channel_id,
        state,
        limit,
        cursor,
      });
      cli.show(options, page, () => messageTable(page.items) + more(page.next_cursor));
    });
}

function messageTable(messages: readonly Message[]): string {
  return table(
    messages,
    [
      { head: 'WHEN', text: (message) => time(message.created_at) },
      { head: 'CHANNEL', text: (message) => message.channel_id },
      { head: 'STATE', text: ({ state }) => state },
      { head: 'SENDS', text: ({ tries }) => String(tries), align: 'right' },
      { head: 'WHAT', text: ({ alerts }) => alerts.map(whatOf).join('; ') },
      { head: 'ERROR', text: (message) => message.last_error ?? '' },
    ],
    'Nothing was sent.',
  );
}

function whatOf({ state, title }: Message['alerts'][number]): string {
  return state === 'resolved' ? `${title} has ended` : title;
}
