import type { Command } from 'commander';
import type { Static } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import { pspName } from '../../../domain/psps/psp-name.ts';
import type { incidentShape } from '../../../operator/incidents/incident-shape.ts';
import type { resolvedShape } from '../../../operator/incidents/resolve-incident.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';

type Incident = Static<typeof incidentShape>;
type Resolved = Static<typeof resolvedShape>;

interface ResolveOptions extends ShowOptions {
  readonly reason: string;
  readonly yes?: boolean;
}

/** recoup incidents */
export function addIncidents(program: Command, cli: Cli): void {
  const command = program
    .command('incidents')
    .description('show charges that contradict the record; refund or dismiss them')
    .addHelpText(
      'after',
      examples(
        'incidents list',
        'incidents show inc_8c1k…',
        "incidents refund inc_8c1k… --reason 'taken twice, seen by K. Ito' --yes",
        "incidents dismiss inc_8c1k… --reason 'the customer wants both'",
      ),
    );

  addPageOptions(command.command('list').description('list incidents, newest first'))
    .option('--merchant <merchant>', 'only this merchant')
    .option('--all', 'include resolved ones')
    .action(async (options: PageOptions & { merchant?: string; all?: boolean }) => {
      const client = await cli.open();
      const page = await client.get<{ items: Incident[]; next_cursor?: string }>('/incidents', {
        merchant_id: options.merchant,
        state: options.all === true ? undefined : 'unresolved',
        limit: options.limit,
        cursor: options.cursor,
      });
      cli.show(options, page, () => incidentTable(page.items) + more(page.next_cursor));
    });

  command
    .command('show')
    .description('show both records of an incident, side by side')
    .argument('<incident>')
    .action(async (incident: string, options: ShowOptions) => {
      const client = await cli.open();
      const found = await client.get<Incident>(`/incidents${pathOf(incident)}`);
      cli.show(options, found, () => sides(found));
    });

  addResolve(command.command('refund'), cli, 'refund')
    .description('refund the money through the account that took it')
    .option('--yes', 'required: without it nothing is done');
  addResolve(command.command('dismiss'), cli, 'dismiss').description(
    'close an incident and change nothing; money that was taken is kept',
  );
}

function addResolve(command: Command, cli: Cli, action: 'refund' | 'dismiss'): Command {
  return command
    .argument('<incident>')
    .requiredOption('--reason <words>', 'who decided it and why; kept')
    .action(async (incident: string, options: ResolveOptions) => {
      const client = await cli.open();
      const path = `/incidents${pathOf(incident)}`;
      if (action === 'refund' && options.yes !== true) {
        const found = await client.get<Incident>(path);
        const money = `${found.theirs?.amount ?? '?'} ${found.theirs?.currency ?? ''}`.trim();
        const detail = `This refunds ${money} at ${pspName(found.psp)}: say --yes to do it.`;
        throw new AppError('conflict', detail);
      }
      const answer = await client.post<Resolved>(`${path}/${action}`, { reason: options.reason });
      cli.show(options, answer, () => resolvedText(answer));
    });
}

function resolvedText({ state, because, status }: Resolved): string {
  const payment = status === undefined ? '' : ` The payment is ${status}.`;
  if (state !== 'refunding') return `The incident is ${state}.${payment}`;
  return `The refund is not confirmed yet: ${because ?? ''} Run this again to ask what became of it.`;
}

function incidentTable(items: readonly Incident[]): string {
  return table(
    items,
    [
      { head: 'INCIDENT', text: (item) => item.id },
      { head: 'KIND', text: (item) => item.kind },
      { head: 'STATE', text: (item) => item.state },
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'INVOICE', text: (item) => item.invoice_id },
      { head: 'PSP', text: (item) => item.psp },
      { head: 'OPENED AT', text: (item) => time(item.opened_at) },
      { head: 'DETAIL', text: (item) => item.detail },
    ],
    'No incident is open.',
  );
}

function sides(incident: Incident): string {
  const { ours, theirs } = incident;
  const money = (side: typeof ours) =>
    side?.amount === undefined ? undefined : `${side.amount} ${side.currency ?? ''}`;
  const rows = [
    { name: 'state', ours: ours?.state ?? 'none', theirs: theirs?.state ?? 'none' },
    { name: 'amount', ours: money(ours), theirs: money(theirs) },
    {
      name: 'psp_transaction_id',
      ours: ours?.psp_transaction_id,
      theirs: theirs?.psp_transaction_id,
    },
    { name: 'at', ours: time(ours?.at), theirs: time(theirs?.at) },
  ];
  const head = `${incident.id}: ${incident.kind}, ${incident.state}. ${incident.detail}.\n`;
  return `${head}Invoice ${incident.invoice_id ?? 'unknown'}, charge ${incident.charge}.\n\n${table(
    rows,
    [
      { head: '', text: (row) => row.name },
      { head: 'OURS', text: (row) => row.ours },
      { head: 'THEIRS', text: (row) => row.theirs },
    ],
    '',
  )}`;
}
