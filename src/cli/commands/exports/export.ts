import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { pathOf, type Query } from '../../operator-client.ts';
import { listsOfAll, listsOfOne } from './exported-lists.ts';

interface ExportOptions extends ShowOptions {
  readonly merchant?: string;
  readonly where: Query;
  readonly format: 'csv' | 'ndjson';
  readonly output?: string;
}

/** recoup export */
export function addExport(program: Command, cli: Cli): void {
  program
    .command('export')
    .description('takes all rows of a list away, as CSV or JSON lines')
    .addArgument(new Argument('<list>', 'which one').choices([...listsOfAll, ...listsOfOne]))
    .option('--merchant <merchant>', 'of this merchant only')
    .option(
      '--where <filter=value>',
      "a filter of the list in the operator's API, such as status=scheduled; may be given again",
      readFilter,
      {},
    )
    .addOption(
      new Option('--format <format>', 'csv for spreadsheets, ndjson: a JSON object in each line')
        .choices(['csv', 'ndjson'])
        .default('csv'),
    )
    .option(
      '--output <file>',
      'into this file, which is there once it is complete (default: standard output)',
    )
    .addHelpText(
      'after',
      examples(
        'export payments --where status=scheduled > scheduled.csv',
        'export payments --where created_from=2026-03-01T00:00:00Z --output march.csv',
        'export deliveries --merchant mer_3v5k… --format ndjson',
      ),
    )
    .action((list: string, options: ExportOptions) => exportList(cli, list, options));
}

async function exportList(cli: Cli, list: string, options: ExportOptions): Promise<void> {
  const { merchant, where, output } = options;
  const format = options.json ? 'ndjson' : options.format;
  const client = await cli.open();
  const isOfOne = listsOfOne.some((each) => each === list);
  if (isOfOne && merchant === undefined) {
    throw new CliError(exitCodes.usage, `Name a merchant: recoup export ${list} --merchant mer_…`);
  }
  const path =
    isOfOne && merchant !== undefined ? `/merchants${pathOf(merchant)}/${list}` : `/${list}`;
  const ofMerchant = isOfOne ? {} : { merchant_id: merchant };
  const answer = client.stream(`/export${path}`, { ...where, ...ofMerchant, format });
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
