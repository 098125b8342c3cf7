import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { customerMessageShape } from '../../../operator/messages/list-customer-messages.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';
import { addMessageReport } from './message-report.ts';
import { addMessageSettings } from './message-settings.ts';

type Message = Static<typeof customerMessageShape>;

/** recoup messages */
export function addMessages(program: Command, cli: Cli): void {
  const messages = program
    .command('messages')
    .description('manage messages to customers whose payments wait for them')
    .addHelpText(
      'after',
      examples(
        'messages settings mer_3v5k…',
        "messages set mer_3v5k… --sender 'Acme <billing@acme.example>' --time-zone America/New_York",
        'messages test mer_3v5k… --to me@acme.example --reason expired_card',
        'messages set mer_3v5k… --on',
        'messages template mer_3v5k… expired_card en --from template.json',
        'messages list mer_3v5k… --state refused',
        'messages report mer_3v5k…',
        'messages stop mer_3v5k… jane@example.com',
      ),
    );
  addMessageSettings(messages, cli);
  addList(messages, cli);
  addMessageReport(messages, cli);
  addStops(messages, cli);
}

function addList(messages: Command, cli: Cli): void {
  addPageOptions(
    messages
      .command('list')
      .description('list messages, newest first')
      .argument('<merchant>')
      .option('--state <state>', 'sending, sent, refused, bounced or given_up'),
  ).action(async (merchant: string, options: PageOptions & { readonly state?: string }) => {
    const client = await cli.open();
    const { state, limit, cursor } = options;
    const path = `/merchants${pathOf(merchant)}/customer-messages`;
    const query = { state, limit, cursor };
    const page = await client.get<{ items: Message[]; next_cursor?: string }>(path, query);
    cli.show(options, page, () => messageTable(page.items) + more(page.next_cursor));
  });
}

function messageTable(messages: readonly Message[]): string {
  return table(
    messages,
    [
      { head: 'WHEN', text: (message) => time(message.created_at) },
      {
        head: 'ABOUT',
        text: (message) => message.invoice_id ?? `card ${message.payment_method_id}`,
      },
      { head: 'NO.', text: ({ number }) => String(number), align: 'right' },
      { head: 'REASON', text: ({ reason, language }) => `${reason} (${language})` },
      { head: 'STATE', text: ({ state }) => state },
      { head: 'ERROR', text: (message) => message.last_error ?? '' },
    ],
    'No message was sent.',
  );
}

function addStops(messages: Command, cli: Cli): void {
  for (const [name, suppressed, words] of [
    ['stop', true, 'stop messages to an address'],
    ['allow', false, 'allow messages to an address again'],
  ] as const) {
    messages
      .command(name)
      .description(words)
      .argument('<merchant>')
      .argument('<email>')
      .action(async (merchant: string, email: string, options: ShowOptions) => {
        const client = await cli.open();
        const path = `/merchants${pathOf(merchant)}/message-suppressions`;
        const answer = await client.post<{ changed: boolean }>(path, { email, suppressed });
        cli.show(options, answer, () => (answer.changed ? 'Done.' : 'It was so before.'));
      });
  }
}
