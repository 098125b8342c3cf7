import type { Command } from 'commander';
import type { Static } from 'typebox';
import type {
  issuedTokenShape,
  operatorShape,
  tokenShape,
} from '../../../operator/people/operator-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { table, time } from '../../table.ts';
import { eachValue } from '../each-value.ts';
import { readWhole } from '../page-options.ts';

type Operator = Static<typeof operatorShape>;
type Token = Static<typeof tokenShape>;
type IssuedToken = Static<typeof issuedTokenShape>;

interface AddOptions extends ShowOptions {
  readonly role: string;
  readonly email?: string;
  readonly merchant?: readonly string[];
}

interface ChangeOptions extends ShowOptions {
  readonly name?: string;
  readonly role?: string;
  readonly merchant?: readonly string[];
  readonly allMerchants?: true;
}

/** recoup operators */
export function addOperators(program: Command, cli: Cli): void {
  const command = program
    .command('operators')
    .description('list, add, change and remove operators')
    .addHelpText(
      'after',
      examples(
        'operators list',
        "operators add 'K. Ito' --role disputes --email k.ito@example.com --merchant mer_3v5k…",
        'operators change op_6m1c… --role operator --all-merchants',
        'operators remove op_6m1c…',
      ),
    );

  command
    .command('list')
    .description('list operators')
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ items: Operator[] }>('/operators');
      cli.show(options, answer, () => operatorTable(answer.items));
    });

  command
    .command('add')
    .description('add an operator; then issue a token with recoup tokens issue')
    .argument('<name>')
    .requiredOption('--role <role>', 'viewer, disputes, operator or administrator')
    .option('--email <address>', "the operator's e-mail address")
    .option('--merchant <merchant>', 'only this merchant; may be repeated', eachValue)
    .action(async (name: string, options: AddOptions) => {
      const client = await cli.open();
      const { role, email, merchant: merchants } = options;
      const added = await client.post<Operator>('/operators', { name, role, email, merchants });
      cli.show(options, added, () => operatorTable([added]));
    });

  command
    .command('change')
    .description("change an operator's name, role or merchants; ends their sessions")
    .argument('<operator>')
    .option('--name <name>', 'the new name')
    .option('--role <role>', 'viewer, disputes, operator or administrator')
    .option('--merchant <merchant>', 'only this merchant; may be repeated', eachValue)
    .option('--all-merchants', 'remove the limit to merchants')
    .action(async (operator: string, options: ChangeOptions) => {
      const client = await cli.open();
      const { name, role } = options;
      const merchants = options.allMerchants === true ? 'all' : options.merchant;
      const body = { name, role, merchants };
      const changed = await client.patch<Operator>(`/operators${pathOf(operator)}`, body);
      cli.show(options, changed, () => operatorTable([changed]));
    });

  command
    .command('remove')
    .description('remove an operator; their sessions and tokens end at once')
    .argument('<operator>')
    .action(async (operator: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(`/operators${pathOf(operator)}`);
      cli.show(options, { removed: operator }, () => `${operator} is removed.`);
    });
}

/** recoup tokens */
export function addTokens(program: Command, cli: Cli): void {
  const command = program
    .command('tokens')
    .description('list, issue and revoke personal tokens of operators')
    .addHelpText(
      'after',
      examples(
        'tokens issue op_6m1c… --days 30',
        'tokens list op_6m1c…',
        'tokens revoke op_6m1c… tok_5h2j…',
      ),
    );

  command
    .command('list')
    .description("list an operator's tokens")
    .argument('<operator>')
    .action(async (operator: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ items: Token[] }>(`/operators${pathOf(operator)}/tokens`);
      cli.show(options, answer, () => tokenTable(answer.items));
    });

  command
    .command('issue')
    .description('issue a token and show it once')
    .argument('<operator>')
    .option('--days <n>', 'days that it is valid, 1 to 365 (default: 90)', readWhole)
    .action(async (operator: string, options: ShowOptions & { readonly days?: number }) => {
      const client = await cli.open();
      const path = `/operators${pathOf(operator)}/tokens`;
      const issued = await client.post<IssuedToken>(path, { days: options.days });
      cli.show(options, issued, () =>
        [
          `${issued.text}`,
          `Keep it: it is not shown again. Valid until ${time(issued.expires_at)}, as OPERATOR_TOKEN of recoup.`,
        ].join('\n'),
      );
    });

  command
    .command('revoke')
    .description('revoke a token at once')
    .argument('<operator>')
    .argument('<token>')
    .action(async (operator: string, token: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(`/operators${pathOf(operator)}/tokens${pathOf(token)}`);
      cli.show(options, { revoked: token }, () => `${token} is revoked.`);
    });
}

function operatorTable(items: readonly Operator[]): string {
  return table(
    items,
    [
      { head: 'OPERATOR', text: (item) => item.id },
      { head: 'NAME', text: (item) => item.name },
      { head: 'ROLE', text: (item) => item.role },
      { head: 'MERCHANTS', text: (item) => item.merchants?.join(' ') ?? 'all' },
      { head: 'E-MAIL', text: (item) => item.email },
      { head: 'ADDED AT', text: (item) => time(item.created_at) },
      { head: 'REMOVED AT', text: (item) => time(item.removed_at) },
    ],
    'There are no operators yet: only the holder of OPERATOR_TOKEN may operate Recoup.',
  );
}

function tokenTable(items: readonly Token[]): string {
  return table(
    items,
    [
      { head: 'TOKEN', text: (item) => item.id },
      { head: 'HINT', text: (item) => item.hint },
      { head: 'ISSUED AT', text: (item) => time(item.created_at) },
      { head: 'EXPIRES AT', text: (item) => time(item.expires_at) },
      { head: 'REVOKED AT', text: (item) => time(item.revoked_at) },
      { head: 'LAST USED AT', text: (item) => time(item.last_used_at) },
    ],
    'The operator has no tokens.',
  );
}
