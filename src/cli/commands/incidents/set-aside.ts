import { Argument, type Command } from 'commander';
import type { Static } from 'typebox';
import type { setAsideShape } from '../../../operator/set-aside/set-aside-shape.ts';
import { workKinds } from '../../../recovery/set-aside/set-aside-ports.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';

type SetAside = Static<typeof setAsideShape>;

/** recoup set-aside */
export function addSetAside(program: Command, cli: Cli): void {
  const command = program
    .command('set-aside')
    .description('list work that failed repeatedly and waits for a person; retry it')
    .addHelpText('after', examples('set-aside list', 'set-aside retry mer_3v5k… payment inv_1042'));

  addPageOptions(command.command('list').description('list work that was set aside, oldest first'))
    .option('--merchant <merchant>', 'only this merchant')
    .action(async (options: PageOptions & { merchant?: string }) => {
      const client = await cli.open();
      const page = await client.get<{ items: SetAside[]; next_cursor?: string }>('/set-aside', {
        merchant_id: options.merchant,
        limit: options.limit,
        cursor: options.cursor,
      });
      cli.show(options, page, () => setAsideTable(page.items) + more(page.next_cursor));
    });

  command
    .command('retry')
    .description('retry one piece of work now')
    .argument('<merchant>')
    .addArgument(new Argument('<kind>', 'the kind of work').choices([...workKinds]))
    .argument('<id>', 'the id that the list shows')
    .action(async (merchant: string, kind: string, id: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.post<{ retried: boolean }>('/set-aside/retry', {
        kind,
        merchant_id: merchant,
        id,
      });
      cli.show(options, answer, () => 'It is due now.');
    });
}

function setAsideTable(items: readonly SetAside[]): string {
  return table(
    items,
    [
      { head: 'KIND', text: (item) => item.kind },
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'ID', text: (item) => item.id },
      { head: 'INVOICE', text: (item) => item.invoice_id },
      { head: 'SINCE', text: (item) => time(item.set_aside_at) },
      { head: 'REASON', text: (item) => item.reason },
    ],
    'Nothing is set aside.',
  );
}
