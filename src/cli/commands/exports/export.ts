import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { pathOf, type Query } from '../../operator-client.ts';
import { listsOfAll, listsOfCustomer, listsOfOne } from './exported-lists.ts';

interface ExportOptions extends ShowOptions {
  readonly merchant?: string;
  readonly customer?: string;
  readonly where: Query;
  readonly format: 'csv' | 'ndjson';
  readonly output?: string;
}

/** recoup export */
export function addExport(program: Command, cli: Cli): void {
  program
    .command('export')
    .description('export all rows of a list as CSV or JSON lines')
    .addArgument(
      new Argument('<list>', 'the list').choices([
        ...listsOfAll,
        ...listsOfOne,
        ...Object.keys(listsOfCustomer),
      ]),
    )
    .option('--merchant <merchant>', 'only this merchant')
    .option('--customer <customer>', "the customer of a customer-… list, by the merchant's id")
    .option(
      '--where <filter=value>',
      'a filter of the list in the operator API, such as status=scheduled; may be repeated',
      readFilter,
      {},
    )
    .addOption(
      new Option('--format <format>', 'csv for spreadsheets; ndjson: one JSON object per line')
        .choices(['csv', 'ndjson'])
        .default('csv'),
    )
    .option('--output <file>', 'write to this file once it is complete (default: standard output)')
    .addHelpText(
      'after',
      examples(
        'export payments --where status=scheduled > scheduled.csv',
        'export payments --where created_from=2026-03-01T00:00:00Z --output march.csv',
        'export deliveries --merchant mer_3v5k… --format ndjson',
        'export customer-payments --merchant mer_3v5k… --customer cus_82',
      ),
    )
    .action((list: string, options: ExportOptions) => exportList(cli, list, options));
}

async function exportList(cli: Cli, list: string, options: ExportOptions): Promise<void> {
  const { where, output } = options;
  const format = options.json ? 'ndjson' : options.format;
  const client = await cli.open();
  const { path, query } = placeOf(list, options);
  const answer = client.stream(`/export${path}`, { ...where, ...query, format });
  let lines = 0;
  await cli.save(
    output,
    told(answer, (newLines) => {
      lines += newLines;
      cli.progress.tell(`${lines} lines`);
    }),
  );
  cli.progress.end();
  if (output !== undefined) cli.note(`${output} is complete: ${rowsOf(lines, format)}.`);
}

/** Where a list is asked for; of one merchant or customer in its path, else by a filter. */
function placeOf(
  list: string,
  { merchant, customer }: ExportOptions,
): { readonly path: string; readonly query: Query } {
  const part = isOfCustomer(list) ? listsOfCustomer[list] : undefined;
  if ((customer !== undefined) !== (part !== undefined)) {
    const usage = 'recoup export customer-payments --merchant mer_… --customer …';
    throw new CliError(exitCodes.usage, `A customer is named for a customer's list: ${usage}`);
  }
  if (part === undefined && !listsOfOne.some((each) => each === list)) {
    return { path: `/${list}`, query: { merchant_id: merchant } };
  }
  if (merchant === undefined) {
    throw new CliError(exitCodes.usage, `Name a merchant: recoup export ${list} --merchant mer_…`);
  }
  const within = customer === undefined ? `/${list}` : `/customers${pathOf(customer)}/${part}`;
  return { path: `/merchants${pathOf(merchant)}${within}`, query: {} };
}

function isOfCustomer(list: string): list is keyof typeof listsOfCustomer {
  return list in listsOfCustomer;
}

/** What passes, with how many lines ended in it. */
async function* told(
  chunks: AsyncIterable<Uint8Array>,
  onLines: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onLines(chunk.reduce((count, byte) => (byte === lineEnd ? count + 1 : count), 0));
    yield chunk;
  }
}

const lineEnd = 10;

/** CSV begins with the names of its columns. A cell may hold ends of lines, which count too. */
function rowsOf(lines: number, format: ExportOptions['format']): string {
  return format === 'ndjson' ? `${lines} rows` : `${lines} lines with the head`;
}

function readFilter(text: string, before: Query): Query {
  const [, name, value] = /^([a-z_]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be a filter and its value: status=scheduled.');
  }
  return { ...before, [name]: value };
}
