import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { disputeOutcomesShape } from '../../../operator/disputes/show-dispute-outcomes.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { table } from '../../table.ts';

type Outcomes = Static<typeof disputeOutcomesShape>;
type Item = Outcomes['items'][number];

interface OutcomesOptions extends ShowOptions {
  readonly merchant?: string;
  readonly from?: string;
  readonly to?: string;
}

/** recoup dispute-outcomes */
export function addDisputeOutcomes(program: Command, cli: Cli): void {
  program
    .command('dispute-outcomes')
    .description('show how disputes ended, and how many were won, by network and reason')
    .option('--merchant <id>', 'only this merchant')
    .option('--from <time>', 'only disputes opened at this time or later')
    .option('--to <time>', 'only disputes opened before this time')
    .addHelpText(
      'after',
      examples('dispute-outcomes', 'dispute-outcomes --from 2026-01-01T00:00:00Z'),
    )
    .action(async (options: OutcomesOptions) => {
      const client = await cli.open();
      const { merchant, from, to } = options;
      const filter = { merchant_id: merchant, from, to };
      const answer = await client.get<Outcomes>('/dispute-outcomes', filter);
      cli.show(options, answer, () => outcomesTable(answer));
    });
}

const counted = ['disputes', 'open', 'won', 'lost', 'accepted', 'expired', 'withdrawn'] as const;

function outcomesTable({ items, least_decided: least }: Outcomes): string {
  return table(
    items,
    [
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'NETWORK', text: (item) => item.network ?? '-' },
      { head: 'REASON', text: reasonText },
      ...counted.map((name) => ({
        head: name.toUpperCase(),
        text: (item: Item) => item[name].toString(),
        align: 'right' as const,
      })),
      { head: 'WON OF DECIDED', text: (item) => rateText(item, least), align: 'right' },
    ],
    'No disputes.',
  );
}

function reasonText({ reason_code: code, reason_family: family }: Item): string {
  return [code, family].filter((part) => part !== undefined).join(' ') || '-';
}

/** With its interval: `60 % [41, 77]`; of too few the numbers alone: `0 of 1, too few`. */
function rateText(item: Item, least: number): string {
  const { won, lost, win_rate: rate, win_rate_low: low, win_rate_high: high } = item;
  if (rate === undefined || low === undefined || high === undefined) return '-';
  const decided = won + lost;
  if (decided < least) return `${won} of ${decided}, too few`;
  const [share, from, to] = [rate, low, high].map((each) => (each * 100).toFixed(0));
  return `${share} % [${from}, ${to}]`;
}
