import { type Command, Option } from 'commander';
import {
  type MonthlyStatement,
  monthlyRows,
} from '../../../recovery/accounting/monthly-statement.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { savePdf } from '../../save-pdf.ts';
import { table } from '../../table.ts';

interface StatementOptions extends ShowOptions {
  readonly csv?: true;
  readonly pdf?: string;
}

interface StatedMonth {
  readonly month: string;
  readonly days: number;
  readonly complete: boolean;
}

/** recoup statement */
export function addStatement(program: Command, cli: Cli): void {
  program
    .command('statement')
    .description("show a merchant's monthly statement, or list the months that have one")
    .argument('<merchant>')
    .argument('[month]', 'in UTC, such as 2026-03')
    .option('--csv', 'print one figure per row, for spreadsheets')
    .addOption(new Option('--pdf <file>', 'write the PDF to this file').conflicts('csv'))
    .addHelpText(
      'after',
      examples(
        'statement mer_3v5k…',
        'statement mer_3v5k… 2026-03',
        'statement mer_3v5k… 2026-03 --csv > march.csv',
        'statement mer_3v5k… 2026-03 --pdf march.pdf',
      ),
    )
    .action(async (merchant: string, month: string | undefined, options: StatementOptions) => {
      const all = `/merchants${pathOf(merchant)}/monthly-statements`;
      if (month === undefined) return showMonths(cli, all, options);
      const path = `${all}${pathOf(month)}`;
      if (options.pdf !== undefined) return savePdf(cli, { path, file: options.pdf, options });
      const client = await cli.open();
      if (options.csv) {
        const bytes = await client.download(path, 'text/csv');
        cli.show(options, undefined, () => Buffer.from(bytes).toString('utf8').trimEnd());
        return;
      }
      const statement = await client.get<MonthlyStatement>(path);
      cli.show(options, statement, () => statementText(statement));
    });
}

async function showMonths(cli: Cli, path: string, options: StatementOptions): Promise<void> {
  if (options.csv || options.pdf !== undefined) {
    throw new CliError(exitCodes.usage, 'Name the month of the file, such as 2026-03.');
  }
  const client = await cli.open();
  const list = await client.get<{ items: StatedMonth[] }>(path);
  cli.show(options, list, () =>
    table(
      list.items,
      [
        { head: 'MONTH', text: ({ month }) => month },
        { head: 'DAYS', text: ({ days }) => days.toString(), align: 'right' },
        { head: 'STATED', text: ({ complete }) => (complete ? 'to its end' : 'in part') },
      ],
      'No day is stated yet.',
    ),
  );
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
