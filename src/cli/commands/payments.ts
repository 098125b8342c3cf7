import { type Command, Option } from 'commander';
import { currencyExponent } from '../../domain/money.ts';
import { paymentStates } from '../../domain/states.ts';
import type { paymentJson, paymentSummaryJson } from '../../http/views/payment-shape.ts';
import type { Cli, ShowOptions } from '../cli.ts';
import { examples } from '../examples.ts';
import { pathOf } from '../operator-client.ts';
import { details, more, table, time } from '../table.ts';
import { addPageOptions, type PageOptions } from './page-options.ts';

type OfMerchant = { readonly merchant_id: string };
type Summary = ReturnType<typeof paymentSummaryJson> & OfMerchant;
type Payment = ReturnType<typeof paymentJson> & OfMerchant;

interface ListOptions extends PageOptions {
  readonly merchant?: string;
  readonly status?: string;
  readonly search?: string;
}

/** recoup payments */
export function addPayments(program: Command, cli: Cli): void {
  const payments = program
    .command('payments')
    .description('lists, shows, retries and stops payments')
    .addHelpText(
      'after',
      examples(
        'payments list --status scheduled',
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
}

function addList(payments: Command, cli: Cli): void {
  addPageOptions(
    payments
      .command('list')
      .description('lists payments, of every merchant or of one')
      .option('--merchant <merchant>', 'of this merchant only')
      .addOption(new Option('--status <status>', 'in this state only').choices(paymentStates))
      .option('--search <id>', 'with this id in any of their id fields'),
  ).action(async (options: ListOptions) => {
    const client = await cli.open();
    const page = await client.get<{ items: Summary[]; next_cursor?: string }>('/payments', {
      merchant_id: options.merchant,
      status: options.status,
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
    .description('shows a payment and everything that touched it')
    .argument('<merchant>')
    .argument('<invoice>')
    .action(async (merchant: string, invoice: string, options: ShowOptions) => {
      const client = await cli.open();
      const payment = await client.get<Payment>(of(merchant, invoice));
      cli.show(options, payment, () => story(payment));
    });
}

function addRetry(payments: Command, cli: Cli): void {
  payments
    .command('retry')
    .description('tries a payment now, or at a time, if the rules allow it')
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
    .description('stops the recovery of a payment; nothing is charged after that')
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
            ? 'A charge is on its way; nothing is charged after it.'
            : `It is ${answer.status}; nothing is charged after this.`,
        );
      },
    );
}

function of(merchant: string, invoice: string): string {
  return `/merchants${pathOf(merchant)}/payments${pathOf(invoice)}`;
}

function paymentTable(payments: readonly Summary[]): string {
  return table(
    payments,
    [
      { head: 'AMOUNT', text: money, align: 'right' },
      { head: 'STATUS', text: (payment) => payment.status },
      { head: 'INVOICE', text: (payment) => payment.invoice_id },
      { head: 'CUSTOMER', text: (payment) => payment.customer_id },
      { head: 'MERCHANT', text: (payment) => payment.merchant_id },
      { head: 'TRIES', text: (payment) => payment.attempt_count.toString(), align: 'right' },
      { head: 'NEXT TRY', text: (payment) => time(payment.next_attempt_at) },
      { head: 'FAILED', text: (payment) => time(payment.failed_at) },
    ],
    'There are no such payments.',
  );
}

function story(payment: Payment): string {
  const head = details([
    ['invoice', payment.invoice_id],
    ['amount', money(payment)],
    ['status', payment.status],
    [
      'stopped because',
      [payment.stop_reason, payment.stop_detail].filter(Boolean).join(': ') || undefined,
    ],
    ['merchant', payment.merchant_id],
    ['customer', payment.customer_id],
    ['psp', payment.psp],
    ['failed', time(payment.failed_at)],
    ['next try', time(payment.next_attempt_at)],
    ['because', because(payment.decision)],
    ['window ends', time(payment.window_ends_at)],
  ]);
  const attempts = table(
    payment.attempts.flatMap(attemptRows),
    [
      { head: 'TRY', text: (row) => row.number, align: 'right' },
      { head: 'STARTED', text: (row) => row.started },
      { head: 'RESULT', text: (row) => row.result },
      { head: 'METHOD', text: (row) => row.method },
      { head: 'PSP TRANSACTION', text: (row) => row.psp },
      { head: 'DECLINE', text: (row) => row.decline },
    ],
    'Not tried yet.',
  );
  const deliveries = table(
    payment.deliveries,
    [
      { head: 'EVENT', text: (delivery) => delivery.event_id },
      { head: 'TYPE', text: (delivery) => delivery.type },
      { head: 'STATUS', text: (delivery) => delivery.status },
      { head: 'TRIES', text: (delivery) => delivery.tries.toString(), align: 'right' },
      { head: 'NEXT TRY', text: (delivery) => time(delivery.next_attempt_at) },
    ],
    'No webhooks yet.',
  );
  return [head, attempts, deliveries].join('\n\n');
}

interface AttemptRow {
  readonly number?: string;
  readonly started?: string | undefined;
  readonly result: string;
  readonly method?: string;
  readonly psp?: string | undefined;
  readonly decline?: string | undefined;
}

/** A row for the attempt, or one for each charge that it made. */
function attemptRows(attempt: Payment['attempts'][number]): readonly AttemptRow[] {
  const number = attempt.number.toString();
  const started = time(attempt.started_at);
  if (attempt.transactions.length === 0) return [{ number, started, result: attempt.status }];
  return attempt.transactions.map((transaction) => ({
    number,
    started,
    result: transaction.status,
    method: transaction.payment_method_id,
    psp: transaction.psp_transaction_id,
    decline: transaction.decline && `${transaction.decline.category} (${transaction.decline.code})`,
  }));
}

function because(decision: Payment['decision']): string | undefined {
  const words = decision?.because;
  return typeof words === 'string' ? words : undefined;
}

function money(payment: { readonly amount: number; readonly currency: string }): string {
  return `${payment.amount.toFixed(currencyExponent(payment.currency))} ${payment.currency}`;
}
