import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { ratiosShape } from '../../../operator/disputes/list-dispute-ratios.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { table } from '../../table.ts';

type Ratios = Static<typeof ratiosShape>;

type Verdict = Ratios['items'][number]['programmes'][number];

interface RatiosOptions extends ShowOptions {
  readonly merchant?: string;
  readonly month?: string;
  readonly visaSettled?: string;
  readonly mastercardSettledBefore?: string;
}

/** recoup dispute-ratios */
export function addDisputeRatios(program: Command, cli: Cli): void {
  program
    .command('dispute-ratios')
    .description("estimate the ratios of the networks' monitoring programmes (VAMP, ECM, HECM)")
    .option('--merchant <id>', 'only this merchant')
    .option('--month <month>', 'a month in UTC, such as 2026-06 (default: this month)')
    .option('--visa-settled <count>', "the month's settled charges, from the acquirer's statement")
    .option(
      '--mastercard-settled-before <count>',
      'the settled charges of the month before at Mastercard',
    )
    .addHelpText('after', examples('dispute-ratios', 'dispute-ratios --month 2026-06'))
    .action(async (options: RatiosOptions) => {
      const client = await cli.open();
      const answer = await client.get<Ratios>('/dispute-ratios', {
        merchant_id: options.merchant,
        month: options.month,
        visa_settled: options.visaSettled,
        mastercard_settled_before: options.mastercardSettledBefore,
      });
      cli.show(options, answer, () => ratiosTable(answer));
    });
}

function ratiosTable({ items, month }: Ratios): string {
  const lines = items.flatMap((item) =>
    item.programmes.map((verdict) => ({ merchant: item.merchant_id, ...verdict })),
  );
  const rows = table(
    lines,
    [
      { head: 'MERCHANT', text: (line) => line.merchant },
      { head: 'PROGRAMME', text: (line) => line.programme },
      { head: 'ITEMS', text: (line) => line.items.toString(), align: 'right' },
      { head: 'OUT OF', text: (line) => line.out_of.toString(), align: 'right' },
      { head: 'RATIO', text: (line) => percent(line.ratio_bps), align: 'right' },
      { head: 'LIMITS', text: (line) => `${line.limit_items}, ${percent(line.limit_bps)}` },
      { head: 'DAYS TO BREACH', text: (line) => daysText(line), align: 'right' },
    ],
    'There is nothing to count.',
  );
  return `${rows}\n\nOf ${month}, as far as charges and disputes were reported to Recoup.`;
}

function daysText(line: Verdict): string {
  if (line.is_excessive) return 'reached';
  return line.days_to_breach?.toString() ?? '-';
}

function percent(bps: number | undefined): string {
  return bps === undefined ? '-' : `${(bps / 100).toFixed(2)} %`;
}
