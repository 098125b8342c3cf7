import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { checkShape, invariantsShape } from '../../../operator/service/invariants-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import type { OperatorClient } from '../../operator-client.ts';
import { table, time } from '../../table.ts';

export type InvariantsAnswer = Static<typeof invariantsShape>;
type Check = Static<typeof checkShape>;
type Difference = InvariantsAnswer['differences'][number];

interface InvariantsOptions extends ShowOptions {
  readonly full?: true;
}

/** Between two looks at a check that runs. */
const lookMs = 500;

/** recoup invariants */
export function addInvariants(program: Command, cli: Cli): void {
  program
    .command('invariants')
    .description('check the invariants; exits with 1 if one is broken')
    .option('--full', 'first read every row and recount the control totals')
    .addHelpText(
      'after',
      `${examples('invariants', 'invariants --full', 'invariants --json')}
The control totals are current; the other invariants are counted by the check of everything, which runs
every night and with --full. docs/reconciliation.md explains both.`,
    )
    .action(async (options: InvariantsOptions) => {
      const client = await cli.open();
      const answer =
        options.full === true
          ? await checkEverything(client, cli)
          : await client.get<InvariantsAnswer>('/invariants');
      cli.show(options, answer, () => words(answer));
      if (!answer.holds) throw breached(answer);
    });
}

/** Has everything checked anew, and answers what holds then. */
export async function checkEverything(
  client: Pick<OperatorClient, 'get' | 'post'>,
  cli: Pick<Cli, 'note' | 'pause'>,
): Promise<InvariantsAnswer> {
  const asked = await client.post<Check>('/invariants/checks');
  for (let told = ''; ; ) {
    const answer = await client.get<InvariantsAnswer>('/invariants');
    const running = answer.running_check;
    if (running === undefined || running.id !== asked.id) return answer;
    const line = `running: ${running.rows_read} rows read, ${running.breaches} breaches`;
    if (line !== told) cli.note(line);
    told = line;
    await cli.pause(lookMs);
  }
}

/** What to end with when a promise is broken. */
export function breached(answer: InvariantsAnswer): CliError {
  const names = answer.items.filter((item) => item.breaches > 0).map((item) => item.name);
  return new CliError(exitCodes.refused, `Broken: ${names.join(', ')}.`);
}

function words(answer: InvariantsAnswer): string {
  const { items, differences, last_check: last } = answer;
  return [
    table(
      items,
      [
        { head: 'INVARIANT', text: (item) => item.name },
        { head: 'BREACHES', text: (item) => item.breaches.toString(), align: 'right' },
        { head: 'PROMISE', text: (item) => item.promise },
      ],
      'Nothing is checked.',
    ),
    ...(differences.length === 0 ? [] : [differenceTable(differences)]),
    last === undefined
      ? 'Not everything was read yet: recoup invariants --full does.'
      : `Everything was read at ${time(last.ended_at ?? last.updated_at)}: ${last.rows_read} rows.`,
  ].join('\n\n');
}

function differenceTable(differences: readonly Difference[]): string {
  const sum = ({ count, amount_minor }: Difference['charged']) => `${count} (${amount_minor})`;
  return table(
    differences,
    [
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'DAY', text: (item) => item.day },
      {
        head: 'ACCOUNT',
        text: ({ psp, connection_version: version, currency }) =>
          psp === undefined ? 'events' : `${psp} ${version} ${currency}`,
      },
      { head: 'CHARGED', text: (item) => sum(item.charged), align: 'right' },
      { head: 'RECOVERED', text: (item) => sum(item.recovered), align: 'right' },
      { head: 'ANNOUNCED', text: (item) => sum(item.announced), align: 'right' },
      {
        head: 'EVENTS',
        text: ({ events }) =>
          `${events.created} = ${events.delivered} + ${events.pending} + ${events.given_up}`,
      },
    ],
    '',
  );
}
