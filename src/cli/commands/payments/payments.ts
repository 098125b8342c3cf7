import { type Command, Option } from 'commander';
import { paymentStates, waits } from '../../../domain/states.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { more, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';
import { addBulk } from './bulk.ts';
import { heldByOption } from './held-by-option.ts';
import { type Payment, type PaymentSummary, paymentStory, paymentTable } from './payment-text.ts';

interface ListOptions extends PageOptions {
  readonly merchant?: string;
  readonly status?: string;
  readonly waitingFor?: string;
  readonly heldBy?: string;
  readonly search?: string;
}

/** recoup payments */
export function addPayments(program: Command, cli: Cli): void {
  const payments = program
    .command('payments')
    .description('list, show, retry and stop payments')
    .addHelpText(
      'after',
      examples(
        'payments list --status scheduled',
        'payments list --waiting-for customer   no retry can save them: a new payment method can',
        'payments list --held-by any            on hold until a person decides',
        'payments list --search cus_82          any id: invoice, customer, subscription, transaction',
        'payments show mer_3v5k… in_20931',
        'payments retry mer_3v5k… in_20931      now; --at 2026-03-02T06:00:00Z for later',
        "payments stop mer_3v5k… in_20931 --reason 'the customer asked for it'",
      ),
    );
  addList(payments, cli);
  addShow(payments, cli);
  addRetry(payments, cli);
  addStop(payments, cli);
  addBulk(payments, cli);
}

function addList(payments: Command, cli: Cli): void {
  addPageOptions(
    payments
      .command('list')
      .description('list payments of one merchant or of all')
      .option('--merchant <merchant>', 'only this merchant')
      .addOption(new Option('--status <status>', 'only this state').choices(paymentStates))
      .addOption(
        new Option('--waiting-for <whom>', 'only scheduled payments that wait for this').choices(
          waits,
        ),
      )
      .addOption(heldByOption())
      .option('--search <id>', 'by an id or its beginning, an amount, or an e-mail address'),
  ).action(async (options: ListOptions) => {
    const client = await cli.open();
    const page = await client.get<{ items: PaymentSummary[]; next_cursor?: string }>('/payments', {
      merchant_id: options.merchant,
      status: options.status,
      waiting_for: options.waitingFor,
      held_by: options.heldBy,
      search: options.search,
      limit: options.limit,
      cursor: options.cursor,
    });
    cli.show(options, page, () => paymentTable(page.items) + more(page.next_cursor));
  });
}

function addShow(payments: Command, cli: Cli): void {
  payments
    .command('show')
    .description('show a payment and everything that happened to it')
    .argument('<merchant>')
    .argument('<invoice>')
    .action(async (merchant: string, invoice: string, options: ShowOptions) => {
      const client = await cli.open();
      const payment = await client.get<Payment>(of(merchant, invoice));
      cli.show(options, payment, () => paymentStory(payment));
    });
}

function addRetry(payments: Command, cli: Cli): void {
  payments
    .command('retry')
    .description('retry a payment now or at a given time, if the rules allow it')
    .argument('<merchant>')
    .argument('<invoice>')
    .option('--at <time>', 'such as 2026-03-02T06:00:00Z (default: now)')
    .action(async (merchant: string, invoice: string, options: ShowOptions & { at?: string }) => {
      const client = await cli.open();
      const body = { retry_at: options.at };
      const path = `${of(merchant, invoice)}/retry`;
      const answer = await client.post<{ next_attempt_at: string }>(path, body);
      cli.show(options, answer, () => `It is tried at ${time(answer.next_attempt_at)}.`);
    });
}

function addStop(payments: Command, cli: Cli): void {
  payments
    .command('stop')
    .description('stop the recovery of a payment; nothing is charged after that')
    .argument('<merchant>')
    .argument('<invoice>')
    .requiredOption('--reason <words>', 'why; kept with the payment')
    .action(
      async (merchant: string, invoice: string, options: ShowOptions & { reason: string }) => {
        const client = await cli.open();
        const body = { reason: options.reason };
        const path = `${of(merchant, invoice)}/stop`;
        const answer = await client.post<{ status: string }>(path, body);
        cli.show(options, answer, () =>
          answer.status === 'in_flight'
            ? 'A charge is in progress; nothing is charged after it.'
            : `It is ${answer.status}; nothing is charged after this.`,
        );
      },
    );
}

function of(merchant: string, invoice: string): string {
  return `/merchants${pathOf(merchant)}/payments${pathOf(invoice)}`;
}
