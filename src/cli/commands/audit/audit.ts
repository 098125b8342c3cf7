import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { auditLineShape, verdictShape } from '../../../operator/audit/audit-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';

type Line = Static<typeof auditLineShape>;
type Verdict = Static<typeof verdictShape>;

interface ListOptions extends PageOptions {
  readonly merchant?: string;
  readonly actor?: string;
  readonly act?: string;
  readonly from?: string;
  readonly to?: string;
}

interface VerifyOptions extends ShowOptions {
  readonly merchant?: string;
  readonly known?: string;
}

/** recoup audit */
export function addAudit(program: Command, cli: Cli): void {
  const command = program
    .command('audit')
    .description('show who did what, and verify that the record was not tampered with')
    .addHelpText(
      'after',
      examples(
        'audit list --merchant mer_3v5k…',
        'audit list --act analytics. --from 2026-03-01T00:00:00Z',
        'audit verify',
        'audit verify --json > heads.json',
        'audit verify --known heads.json',
      ),
    );

  addPageOptions(command.command('list').description('list what was done, newest first'))
    .option('--merchant <merchant>', 'only entries about this merchant; * for those about none')
    .option('--actor <actor>', 'only acts of operator, merchant, service, or an operator’s id')
    .option('--act <act>', 'only this act; payment. selects all that begin so')
    .option('--from <time>', 'only acts at this time or later')
    .option('--to <time>', 'only acts before this time')
    .action(async (options: ListOptions) => {
      const client = await cli.open();
      const page = await client.get<{ items: Line[]; next_cursor?: string }>('/audit', {
        merchant_id: options.merchant,
        actor: options.actor,
        action: options.act,
        from: options.from,
        to: options.to,
        limit: options.limit,
        cursor: options.cursor,
      });
      cli.show(options, page, () => lineTable(page.items) + more(page.next_cursor));
    });

  command
    .command('verify')
    .description('recompute every hash; exits with 1 if a chain is broken')
    .option('--merchant <merchant>', 'only the chain of this merchant')
    .option(
      '--known <file>',
      'an earlier answer of verify --json to compare with; - reads standard input',
    )
    .action(async (options: VerifyOptions) => {
      const known =
        options.known === undefined ? undefined : headsOf(await cli.readFile(options.known));
      const client = await cli.open();
      const body = { merchant_id: options.merchant, known };
      const verdict = await client.post<Verdict>('/audit/verify', body);
      cli.show(options, verdict, () => verdictText(verdict));
      const [first] = verdict.broken;
      if (first === undefined) return;
      const place = `line ${first.line} of ${first.chain}`;
      throw new CliError(exitCodes.refused, `The audit log is broken: ${place}: ${first.because}.`);
    });
}

function headsOf(text: string): Verdict['heads'] {
  try {
    const { heads } = JSON.parse(text) as { heads?: unknown };
    if (Array.isArray(heads)) return heads as Verdict['heads'];
  } catch {
    // Not JSON: the same words as for JSON without heads.
  }
  throw new CliError(exitCodes.usage, 'The file is not an answer of recoup audit verify --json.');
}

function lineTable(items: readonly Line[]): string {
  return table(
    items,
    [
      { head: 'AT', text: (item) => time(item.at) },
      { head: 'ACTOR', text: (item) => item.actor },
      { head: 'ADDRESS', text: (item) => item.address },
      { head: 'ACT', text: (item) => item.action },
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'LINE', text: (item) => String(item.line), align: 'right' },
      { head: 'DETAIL', text: (item) => shortText(item.detail) },
      { head: 'BEFORE', text: (item) => shortText(item.before) },
      { head: 'AFTER', text: (item) => shortText(item.after) },
    ],
    'No such entries.',
  );
}

/** `invoice_id=inv_1 reason="asked by phone"`; all of it is in the JSON. */
function shortText(values: Line['before']): string | undefined {
  if (values === undefined) return undefined;
  const parts = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
    return `${name}=${text}`;
  });
  const text = parts.join(' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function verdictText({ holds, lines, heads, broken }: Verdict): string {
  if (holds) return `${lines} lines in ${heads.length} chains: each follows the one before.`;
  return table(
    broken,
    [
      { head: 'CHAIN', text: (item) => item.chain },
      { head: 'FIRST BROKEN LINE', text: (item) => String(item.line), align: 'right' },
      { head: 'BECAUSE', text: (item) => item.because },
    ],
    '',
  );
}
