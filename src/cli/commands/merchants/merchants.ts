import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import type { merchantShape } from '../../../operator/merchants/merchant-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { details, more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';
import { addMerchantOptions, type MerchantOptions, merchantBody } from './merchant-options.ts';
import { addMoveMerchant } from './move-merchant.ts';
import { addPortalLinks } from './portal-links.ts';

type Merchant = Static<typeof merchantShape>;
interface Created extends Merchant {
  readonly recovery_api_key: string;
  readonly disputes_username: string;
  readonly disputes_password: string;
  readonly signing_secret: string;
}

const merchantExamples = examples(
  'merchants list',
  'merchants show mer_3v5k…',
  "merchants create --name Acme --psp sandbox --retry-status-url 'https://billing.acme.example/retry/{invoice_id}' --webhook-url https://billing.acme.example/webhooks",
  'merchants create --from acme.json    the body of POST /api/merchants; secrets go in here',
  'merchants update mer_3v5k… --max-attempts 4 --fixed-days 1,3,7,14',
  'merchants move mer_cell_1_3v5k… --to cell_2.env --recovery-url http://10.0.2.1:8080 --disputes-url http://10.0.2.1:8081',
  'merchants portal-link mer_3v5k… --valid-for 3600     lets their own people read what is theirs',
);

/** recoup merchants */
export function addMerchants(program: Command, cli: Cli): void {
  const merchants = program
    .command('merchants')
    .description('list, show, create, change and move merchants')
    .addHelpText('after', merchantExamples);

  addPageOptions(merchants.command('list').description('list merchants')).action(
    async (options: PageOptions) => {
      const client = await cli.open();
      const page = await client.get<{ items: Merchant[]; next_cursor?: string }>('/merchants', {
        limit: options.limit,
        cursor: options.cursor,
      });
      cli.show(options, page, () => merchantTable(page.items) + more(page.next_cursor));
    },
  );

  merchants
    .command('show')
    .description('show a merchant and its settings')
    .argument('<merchant>')
    .action(async (merchant: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<Merchant>(`/merchants${pathOf(merchant)}`);
      cli.show(options, answer, () => merchantDetails(answer));
    });

  addMerchantOptions(
    merchants.command('create').description('create a merchant and show its secrets once'),
  ).action(async (options: MerchantOptions) => {
    const client = await cli.open();
    const created = await client.post<Created>('/merchants', await merchantBody(cli, options));
    cli.show(options, created, () => createdDetails(created));
  });

  addMerchantOptions(
    merchants
      .command('update')
      .description('change the settings that are given; leave the rest')
      .argument('<merchant>')
      .addOption(new Option('--no-end-of-dunning', 'do not send the end_of_dunning event'))
      .addOption(new Option('--no-incident-events', 'do not send the incident event'))
      .addOption(
        new Option(
          '--no-customer-action-events',
          'do not send events of payments that wait for customers',
        ),
      )
      .addOption(
        new Option(
          '--no-webhook-pause-after-days',
          'never pause the webhook address automatically',
        ),
      )
      .addOption(
        new Option('--no-webhook-quick-sends', 'retry failed webhooks every 12 hours only'),
      ),
  ).action(async (merchant: string, options: MerchantOptions) => {
    const client = await cli.open();
    const body = await merchantBody(cli, options);
    const changed = await client.patch<Merchant>(`/merchants${pathOf(merchant)}`, body);
    cli.show(options, changed, () => merchantDetails(changed));
  });

  addPortalLinks(merchants, cli);
  addMoveMerchant(merchants, cli);
}

function merchantTable(merchants: readonly Merchant[]): string {
  return table(
    merchants,
    [
      { head: 'MERCHANT', text: (merchant) => merchant.id },
      { head: 'NAME', text: ({ name, move }) => (move ? `${name} (${move.state})` : name) },
      { head: 'PSPS', text: (merchant) => merchant.psps.map(({ psp }) => psp).join(', ') },
      { head: 'POLICY', text: policyText },
      { head: 'CREATED', text: (merchant) => time(merchant.created_at) },
    ],
    'There are no merchants yet. recoup merchants create --help shows how to create one.',
  );
}

function merchantDetails(merchant: Merchant): string {
  return details([
    ['merchant', merchant.id],
    ['name', merchant.name],
    ['retry status', merchant.retry_status_url],
    ['webhook', merchant.webhook_url],
    ['authentication', merchant.auth.type],
    ['psps', merchant.psps.map(({ psp }) => psp).join(', ')],
    ...merchant.psps.map(({ psp, webhook_url }) => [`webhooks of ${psp}`, webhook_url] as const),
    ['policy', policyText(merchant)],
    ['time_zone', merchant.time_zone],
    ['end_of_dunning', merchant.end_of_dunning ? 'sent' : 'not sent'],
    ['incident_events', merchant.incident_events ? 'sent' : 'not sent'],
    ['customer_action_events', merchant.customer_action_events ? 'sent' : 'not sent'],
    ['customer_page_url', merchant.customer_page_url ?? 'none'],
    ['webhook_quick_sends', merchant.webhook_quick_sends ? 'on' : 'off'],
    ['webhook_pause_after_days', merchant.webhook_pause_after_days?.toString() ?? 'never'],
    ['created', time(merchant.created_at)],
    ['changed', time(merchant.updated_at)],
    ...(merchant.move ? [['cell', moveText(merchant.move)] as const] : []),
  ]);
}

function moveText({ state, to_cell: cell, since }: NonNullable<Merchant['move']>): string {
  return `${state} to ${cell ?? 'another one'}, since ${time(since)}`;
}

function createdDetails(created: Created): string {
  const secrets = details([
    ['recovery_api_key', created.recovery_api_key],
    ['disputes_username', created.disputes_username],
    ['disputes_password', created.disputes_password],
    ['signing_secret', created.signing_secret],
  ]);
  return `${merchantDetails(created)}\n\nShown this once; keep them:\n${secrets}`;
}

function policyText({ policy }: Merchant): string {
  const days = policy.kind === 'even' ? '' : ` (days ${policy.fixed_days.join(', ')})`;
  return `${policy.kind}${days}, ${policy.max_attempts} tries in ${policy.window_days} days`;
}
