import type { Command } from 'commander';
import type { Static } from 'typebox';
import { decimalText } from '../../../domain/money.ts';
import type { recoveryShape } from '../../../operator/disputes/show-recovery.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { table } from '../../table.ts';

type Recovery = Static<typeof recoveryShape>;
type Item = Recovery['items'][number];

interface RecoveryOptions extends ShowOptions {
  readonly merchant?: string;
  readonly from?: string;
  readonly to?: string;
}

/** recoup recovery */
export function addRecovery(program: Command, cli: Cli): void {
  program
    .command('recovery')
    .description('sum up what was recovered, net of later disputes')
    .option('--merchant <id>', 'only this merchant')
    .option('--from <time>', 'only charges at this time or later')
    .option('--to <time>', 'only charges before this time')
    .addHelpText('after', examples('recovery', 'recovery --from 2026-06-01T00:00:00Z'))
    .action(async (options: RecoveryOptions) => {
      const client = await cli.open();
      const { merchant, from, to } = options;
      const answer = await client.get<Recovery>('/recovery', { merchant_id: merchant, from, to });
      cli.show(options, answer, () => recoveryTable(answer));
    });
}

function recoveryTable({ items }: Recovery): string {
  return table(
    items,
    [
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'RECOVERED', text: (item) => money(item, item.recovered_minor), align: 'right' },
      { head: 'TIMES', text: (item) => item.recovered_count.toString(), align: 'right' },
      { head: 'DISPUTED', text: (item) => money(item, item.open_minor), align: 'right' },
      { head: 'LOST', text: (item) => money(item, item.lost_minor), align: 'right' },
      { head: 'NET', text: (item) => money(item, item.net_minor), align: 'right' },
    ],
    'Nothing was recovered.',
  );
}

function money({ currency }: Item, amountMinor: number): string {
  return `${decimalText({ amountMinor, currency })} ${currency}`;
}
