import type { Command } from 'commander';
import {
  type MonthlyStatement,
  monthlyRows,
} from '../../../recovery/accounting/monthly-statement.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { table } from '../../table.ts';

interface StatementOptions extends ShowOptions {
  readonly csv?: true;
}

/** recoup statement */
export function addStatement(program: Command, cli: Cli): void {
  program
    .command('statement')
    .description("shows what a merchant's month came to")
    .argument('<merchant>')
    .argument('<month>', 'in UTC, such as 2026-03')
    .option('--csv', 'a figure in each row, for spreadsheets')
    .addHelpText(
      'after',
      examples('statement mer_3v5k… 2026-03', 'statement mer_3v5k… 2026-03 --csv > march.csv'),
    )
    .action(async (merchant: string, month: string, options: StatementOptions) => {
      const client = await cli.open();
      const path = `/merchants${pathOf(merchant)}/monthly-statements${pathOf(month)}`;
      if (options.csv) {
        const bytes = await client.download(path, 'text/csv');
        cli.show(options, undefined, () => Buffer.from(bytes).toString('utf8').trimEnd());
        return;
      }
      const statement = await client.get<MonthlyStatement>(path);
      cli.show(options, statement, () => statementText(statement));
    });
}

function statementText(statement: MonthlyStatement): string {
  const [, ...rows] = monthlyRows(statement);
  const shown = table(
    rows,
    [
      { head: 'ACCOUNT', text: ([, psp = '', account = '']) => `${psp} ${account}`.trim() },
      { head: 'FIGURE', text: ([, , , , figure = '']) => figure },
      { head: 'COUNT', text: ([, , , , , count = '']) => count, align: 'right' },
      {
        head: 'AMOUNT',
        text: ([, , , currency = '', , , amount = '']) => `${amount} ${currency}`.trim(),
        align: 'right',
      },
    ],
    'Nothing happened.',
  );
  const { days, as_of: asOf, agrees } = statement;
  return [
    shown,
    '',
    `Days that are stated: ${days}, with corrections until ${asOf.day} (${asOf.hash.slice(0, 12)}…).`,
    agrees
      ? 'Successes, recovered and announced amounts agree.'
      : 'The totals do not agree: see recoup invariants.',
  ].join('\n');
}
