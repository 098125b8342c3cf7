import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { deliveryStates } from '../../../domain/states.ts';
import type { operatorDeliveryShape } from '../../../operator/deliveries/operator-delivery-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';
import { addReplayAll, endpointOption } from './replay-all.ts';

type Delivery = Static<typeof operatorDeliveryShape>;

interface EndpointOption extends ShowOptions {
  readonly endpoint?: string;
}
interface ListOptions extends PageOptions, EndpointOption {
  readonly status?: string;
  readonly invoice?: string;
}

/** recoup deliveries */
export function addDeliveries(program: Command, cli: Cli): void {
  const deliveries = program
    .command('deliveries')
    .description("list a merchant's webhooks and send them again")
    .addHelpText(
      'after',
      examples(
        'deliveries list mer_3v5k… --status exhausted',
        'deliveries replay mer_3v5k… evt_7c1x…',
        'deliveries replay-all mer_3v5k… --from 2026-03-01T00:00:00Z --wait',
      ),
    );

  addPageOptions(
    deliveries
      .command('list')
      .description('list deliveries, newest first')
      .argument('<merchant>')
      .addOption(new Option('--status <status>', 'only this state').choices(deliveryStates))
      .option('--invoice <invoice>', 'only this invoice')
      .option('--endpoint <endpoint>', endpointOption),
  ).action(async (merchant: string, options: ListOptions) => {
    const client = await cli.open();
    const page = await client.get<{ items: Delivery[]; next_cursor?: string }>(
      deliveriesOf(merchant),
      {
        status: options.status,
        invoice_id: options.invoice,
        endpoint_id: options.endpoint,
        limit: options.limit,
        cursor: options.cursor,
      },
    );
    cli.show(options, page, () => deliveryTable(page.items) + more(page.next_cursor));
  });

  deliveries
    .command('replay')
    .description('send one event again, whatever its state')
    .argument('<merchant>')
    .argument('<event>')
    .option('--endpoint <endpoint>', endpointOption)
    .action(async (merchant: string, event: string, options: EndpointOption) => {
      const client = await cli.open();
      const { endpoint } = options;
      const query = endpoint === undefined ? '' : `?endpoint_id=${encodeURIComponent(endpoint)}`;
      const path = `${deliveriesOf(merchant)}${pathOf(event)}/replay${query}`;
      const answer = await client.post(path);
      cli.show(options, answer, () => `${event} is queued.`);
    });

  addReplayAll(deliveries, cli);
}

function deliveriesOf(merchant: string): string {
  return `/merchants${pathOf(merchant)}/deliveries`;
}

function deliveryTable(deliveries: readonly Delivery[]): string {
  return table(
    deliveries,
    [
      { head: 'EVENT', text: (delivery) => delivery.event_id },
      { head: 'TYPE', text: (delivery) => delivery.type },
      { head: 'INVOICE', text: (delivery) => delivery.invoice_id },
      { head: 'STATUS', text: (delivery) => delivery.status },
      { head: 'TRIES', text: (delivery) => delivery.tries.toString(), align: 'right' },
      { head: 'LAST', text: (delivery) => delivery.last_error ?? delivery.last_status?.toString() },
      { head: 'CREATED', text: (delivery) => time(delivery.created_at) },
      { head: 'NEXT TRY', text: (delivery) => time(delivery.next_attempt_at) },
    ],
    'There are no such deliveries.',
  );
}
