import type { Command } from 'commander';
import { backTest } from '../../../backtest/back-test.ts';
import type { Terms } from '../../../backtest/decisions.ts';
import type { History } from '../../../backtest/history.ts';
import {
  type BacktestPolicy,
  codeAwarePolicy,
  daysPolicy,
  evenPolicy,
} from '../../../backtest/policies.ts';
import { type ReadHistory, readHistory } from '../../../backtest/read-history.ts';
import type { ShapeName } from '../../../backtest/reading/columns.ts';
import { namedDays } from '../../../simulator/policies/fixed-family.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { backTestText } from './backtest-text.ts';

interface BacktestOptions extends ShowOptions {
  readonly shape: string;
  readonly policies?: string;
  readonly windows: string;
  readonly tries: string;
  readonly timeZone: string;
  readonly tolerance: string;
  readonly decisions: string;
  readonly seed: string;
}

/** recoup backtest: policies put to a merchant's own history. It asks no service. */
export function addBacktest(program: Command, cli: Cli): void {
  program
    .command('backtest')
    .description('show what each policy would have done with a history of payments')
    .argument('<file>', 'CSV with a header, or one JSON object per line')
    .option('--shape <name>', 'stripe, generic or auto', 'auto')
    .option('--policies <names>', 'only these policies, separated by commas')
    .option('--windows <days>', 'windows of recoveries, 1 to 60 days', '14,28')
    .option('--tries <numbers>', 'tries per recovery, 1 to 20', '4,8')
    .option('--time-zone <name>', 'for payers whose rows name none', 'UTC')
    .option('--tolerance <hours>', 'how close a logged try must be to count as the same', '12')
    .option('--decisions <number>', 'decisions that each policy is tested on', '100000')
    .option('--seed <number>', 'seed of the intervals', '1')
    .addHelpText(
      'after',
      `${examples('backtest history.csv', 'backtest charges.ndjson --windows 28 --tries 8')}
docs/backtest.md explains the columns and the figures.
Exit codes: 0 there is a report; 1 the file has nothing to test; 2 wrong usage or columns.`,
    )
    .action(async (file: string, options: BacktestOptions) => {
      const terms = termsOf(options);
      const names = checkNames(options.policies);
      const toleranceHours = numbers('--tolerance', options.tolerance, 0, 72)[0] ?? 0;
      const maxDecisions = numbers('--decisions', options.decisions, 1_000, 100_000_000)[0] ?? 0;
      const seed = numbers('--seed', options.seed, 0, 2 ** 31 - 1)[0] ?? 0;
      const show = (words: string) => (done: number, total: number) =>
        cli.progress.show(total === 0 ? 1 : done / total, words);
      const { history, report } = await read(file, options, show('reading'));
      const progress = show('testing');
      const policies = await choosePolicies(names, history, terms);
      const input = { history, policies, terms, toleranceHours, maxDecisions, seed };
      const result = backTest({ ...input, progress });
      cli.progress.end();
      const { counts, runs } = result;
      if (counts.failures === 0) throw nothing('No invoice in it begins with a declined attempt.');
      const answer = { file: report, counts, toleranceHours, seed, runs };
      cli.show(options, answer, () => backTestText(answer));
    });
}

type Read = Extract<ReadHistory, { kind: 'read' }>;

async function read(
  path: string,
  options: BacktestOptions,
  progress: (done: number, total: number) => void,
): Promise<Read> {
  const shape = shapeOf(options.shape);
  const { timeZone } = options;
  const result = await readHistory({ path, shape, timeZone, progress }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CliError(exitCodes.usage, `The file ${path} cannot be read${code}.`);
  });
  switch (result.kind) {
    case 'no_rows':
      throw nothing(`The file ${path} has no rows.`);
    case 'missing_columns': {
      const words = `The file ${path}, read as ${result.shape}, lacks columns: ${result.missing.join('; ')}. See docs/backtest.md.`;
      throw new CliError(exitCodes.usage, words);
    }
    case 'read': {
      if (result.history.attempts > 0) return result;
      const [fault] = result.report.firstFaults;
      const why = fault === undefined ? '' : ` Line ${fault.line}: ${fault.reason}.`;
      throw nothing(`The file ${path} has no usable row.${why}`);
    }
  }
}

function nothing(message: string): CliError {
  return new CliError(exitCodes.refused, message);
}

function shapeOf(name: string): ShapeName | 'auto' {
  if (name === 'stripe' || name === 'generic' || name === 'auto') return name;
  throw new CliError(exitCodes.usage, '--shape must be stripe, generic or auto.');
}

function termsOf({ windows, tries }: BacktestOptions): readonly Terms[] {
  const allTries = numbers('--tries', tries, 1, 20);
  return numbers('--windows', windows, 1, 60).flatMap((windowDays) =>
    allTries.map((maxAttempts) => ({ windowDays, maxAttempts })),
  );
}

function numbers(name: string, text: string, min: number, max: number): readonly number[] {
  const values = text.split(',').map((item) => (/^\d{1,10}$/.test(item) ? Number(item) : -1));
  if (values.every((value) => value >= min && value <= max)) return values;
  throw new CliError(exitCodes.usage, `${name} takes whole numbers from ${min} to ${max}.`);
}

const learnedName = 'learned';
const plainPolicies: readonly BacktestPolicy[] = [
  ...Object.entries(namedDays).map(([name, days]) => daysPolicy(name, days)),
  evenPolicy,
  codeAwarePolicy,
];

function checkNames(names: string | undefined): readonly string[] {
  const known = [...plainPolicies.map(({ name }) => name), learnedName];
  const wanted = names?.split(',') ?? known;
  if (wanted.every((name) => known.includes(name))) return wanted;
  throw new CliError(exitCodes.usage, `--policies takes ${known.join(', ')}.`);
}

/** The learned one is made from the history, under the widest terms that are tested. */
async function choosePolicies(
  names: readonly string[],
  history: History,
  terms: readonly Terms[],
): Promise<readonly BacktestPolicy[]> {
  const plain = plainPolicies.filter(({ name }) => names.includes(name));
  if (!names.includes(learnedName)) return plain;
  const windowDays = Math.max(...terms.map((term) => term.windowDays));
  const maxAttempts = Math.max(...terms.map((term) => term.maxAttempts));
  // No other command waits for all that learning takes to load.
  const { learnedPolicy } = await import('../../../backtest/learned.ts');
  return [...plain, learnedPolicy(history, { windowDays, maxAttempts })];
}
