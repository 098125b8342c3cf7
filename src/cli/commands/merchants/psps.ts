import { Argument, type Command } from 'commander';
import type { Static } from 'typebox';
import { psps } from '../../../domain/psps.ts';
import type {
  disconnectedShape,
  pspAccountShape,
  pspConnectionShape,
} from '../../../operator/psps/psp-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { type Column, details, table, time } from '../../table.ts';
import { readBody } from './merchant-options.ts';

type Connection = Static<typeof pspConnectionShape>;
type Account = Static<typeof pspAccountShape>;
type Removed = Static<typeof disconnectedShape>;
interface Psp {
  readonly psp: string;
  readonly credentials: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly meaning: string;
  }[];
}

/** recoup psps */
export function addPsps(program: Command, cli: Cli): void {
  const command = program
    .command('psps')
    .description("list processors; connect, test and remove a merchant's accounts")
    .addHelpText(
      'after',
      examples(
        'psps list                                  processors, and the credentials of each',
        'psps connect mer_3v5k… stripe --from stripe.json',
        'psps connect mer_3v5k… stripe --from -     the JSON from standard input',
        'psps accounts mer_3v5k…                    present and past ones, and what is open there',
        'psps test mer_3v5k… stripe',
        'psps remove mer_3v5k… stripe',
      ),
    );
  const psp = () => new Argument('<psp>').choices(psps);

  command
    .command('list')
    .description('list the processors that can be connected')
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ items: Psp[] }>('/psps');
      cli.show(options, answer, () => pspTable(answer.items));
    });

  command
    .command('connect')
    .description('test credentials at the processor and save them if it accepts them')
    .argument('<merchant>')
    .addArgument(psp())
    .option('--from <file>', 'a JSON object of credentials, or - for standard input')
    .action(async (merchant: string, name: string, options: ShowOptions & { from?: string }) => {
      const file = options.from === undefined ? {} : readBody(await cli.readFile(options.from));
      const client = await cli.open();
      const answer = await client.post<Connection>(of(merchant), { ...file, psp: name });
      cli.show(options, answer, () => connectionDetails(answer));
    });

  addAccounts(command, cli);
  command
    .command('test')
    .description('test the saved credentials at the processor')
    .argument('<merchant>')
    .addArgument(psp())
    .action(async (merchant: string, name: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.post<Connection>(`${of(merchant)}${pathOf(name)}/test`, {});
      cli.show(options, answer, () => connectionDetails(answer));
    });

  command
    .command('remove')
    .description('disconnect an account; charges planned there wait')
    .argument('<merchant>')
    .addArgument(psp())
    .action(async (merchant: string, name: string, options: ShowOptions) => {
      const client = await cli.open();
      const removed = await client.delete<Removed>(of(merchant) + pathOf(name));
      cli.show(options, removed, () => `${name} is disconnected. ${openText(removed.open)}`);
    });
}

function addAccounts(command: Command, cli: Cli): void {
  command
    .command('accounts')
    .description("list a merchant's accounts, and their charges whose outcome is open")
    .argument('<merchant>')
    .action(async (merchant: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ items: Account[] }>(of(merchant));
      cli.show(options, answer, () => accountTable(answer.items));
    });
}

function of(merchant: string): string {
  return `/merchants${pathOf(merchant)}/psps`;
}

interface CredentialRow {
  readonly psp: string;
  readonly name?: string;
  readonly required?: boolean;
  readonly meaning: string;
}

function pspTable(items: readonly Psp[]): string {
  const rows = items.flatMap(({ psp, credentials }): readonly CredentialRow[] =>
    credentials.length === 0
      ? [{ psp, meaning: 'Needs no credentials.' }]
      : credentials.map((field) => ({ psp, ...field })),
  );
  const columns: readonly Column<CredentialRow>[] = [
    { head: 'PSP', text: (row) => row.psp },
    { head: 'CREDENTIAL', text: (row) => row.name },
    { head: 'REQUIRED', text: (row) => (row.required === true ? 'yes' : undefined) },
    { head: 'MEANING', text: (row) => row.meaning },
  ];
  return table(rows, columns, 'No processor can be connected.');
}

function connectionDetails(connection: Connection): string {
  return details([
    ['psp', connection.psp],
    ['credentials', connection.result],
    ['account', connection.account],
    ['reason', connection.reason],
    ['warnings', connection.warnings?.join(' ')],
    ['mode', connection.mode],
    ['checked at', time(connection.checked_at)],
    ['replaced', connection.retired && replacedText(connection.retired)],
  ]);
}

function replacedText({ version, open }: NonNullable<Connection['retired']>): string {
  return `account ${version}. ${openText(open)}`;
}

function openText(open: Removed['open']): string {
  if (open === undefined) return 'Nothing is open there: its credentials are destroyed soon.';
  return `Open there: ${openCharges(open)}. Its credentials are kept for look-ups until then.`;
}

function openCharges({ count, amounts, oldest_sent_at }: NonNullable<Removed['open']>): string {
  const sums = amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');
  return `${count} (${sums}), the oldest of ${time(oldest_sent_at)}`;
}

function accountTable(items: readonly Account[]): string {
  const columns: readonly Column<Account>[] = [
    { head: 'PSP', text: (row) => row.psp },
    { head: 'VERSION', text: (row) => String(row.version) },
    { head: 'ACCOUNT', text: (row) => row.account },
    { head: 'MODE', text: (row) => row.mode },
    { head: 'STATE', text: (row) => row.state },
    { head: 'OPEN CHARGES', text: (row) => row.open && openCharges(row.open) },
  ];
  return table(items, columns, 'The merchant has no connection.');
}
