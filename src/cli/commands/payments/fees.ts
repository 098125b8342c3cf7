import type { Command } from 'commander';
import type { Static } from 'typebox';
import { feeText, microsPerMajor } from '../../../domain/network-rules/network-fee.ts';
import type { feesShape } from '../../../operator/fees/list-fees.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { table } from '../../table.ts';

type Fees = Static<typeof feesShape>;

interface FeesOptions extends ShowOptions {
  readonly from?: string;
  readonly to?: string;
}

/** recoup fees */
export function addFees(program: Command, cli: Cli): void {
  program
    .command('fees')
    .description('sum up the network fees of attempts, and those avoided')
    .argument('<merchant>')
    .option('--from <time>', 'only charges at this time or later')
    .option('--to <time>', 'only charges before this time')
    .addHelpText('after', examples('fees mer_3v5k…', 'fees mer_3v5k… --from 2026-03-01T00:00:00Z'))
    .action(async (merchant: string, options: FeesOptions) => {
      const client = await cli.open();
      const path = `/merchants${pathOf(merchant)}/fees`;
      const answer = await client.get<Fees>(path, { from: options.from, to: options.to });
      cli.show(options, answer, () => feesTable(answer));
    });
}

function feesTable({ items, rule_pack_version }: Fees): string {
  const rows = table(
    items,
    [
      { head: 'NETWORK', text: (item) => item.network },
      { head: 'RULE', text: (item) => item.rule },
      { head: 'EXPECTED', text: (item) => amount(item.expected, item.currency), align: 'right' },
      { head: 'TIMES', text: (item) => item.expected_count.toString(), align: 'right' },
      { head: 'AVOIDED', text: (item) => amount(item.avoided, item.currency), align: 'right' },
      { head: 'TIMES', text: (item) => item.avoided_count.toString(), align: 'right' },
    ],
    'There are no fees.',
  );
  const edition = `By the rules of edition ${rule_pack_version}.`;
  return [rows, ...meaningsOf(items), edition].join('\n\n');
}

/** A line for each rule that the table names. */
function meaningsOf(items: Fees['items']): readonly string[] {
  const lines = items.flatMap(({ rule, meaning }) =>
    meaning === undefined ? [] : [`${rule}: ${meaning}`],
  );
  return lines.length === 0 ? [] : [[...new Set(lines)].join('\n')];
}

function amount(major: number, currency: string): string {
  return feeText({ amountMicros: Math.round(major * microsPerMajor), currency });
}
