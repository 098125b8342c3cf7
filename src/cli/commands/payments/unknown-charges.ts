import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { lookUpsOfLadder } from '../../../domain/limits.ts';
import type { unknownChargeShape } from '../../../operator/unknown-charges/unknown-charge-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';

type UnknownCharge = Static<typeof unknownChargeShape>;

interface ResolveOptions extends ShowOptions {
  readonly result: string;
  readonly pspTransactionId?: string;
  readonly reason: string;
}

/** recoup unknown-charges */
export function addUnknownCharges(program: Command, cli: Cli): void {
  const command = program
    .command('unknown-charges')
    .description(
      "list charges whose answers were lost; resolve those that the PSP's record does not",
    )
    .addHelpText(
      'after',
      examples(
        'unknown-charges list',
        "unknown-charges resolve mer_3v5k… att_8c1k…-1 --result succeeded --psp-transaction-id 8515… --reason 'seen in the Customer Area'",
        "unknown-charges resolve mer_3v5k… att_8c1k…-1 --result not_made --reason 'support confirmed it'",
      ),
    );

  addPageOptions(command.command('list').description('list unknown charges, oldest first'))
    .option('--merchant <merchant>', 'only this merchant')
    .action(async (options: PageOptions & { merchant?: string }) => {
      const client = await cli.open();
      const page = await client.get<{ items: UnknownCharge[]; next_cursor?: string }>(
        '/unknown-charges',
        { merchant_id: options.merchant, limit: options.limit, cursor: options.cursor },
      );
      cli.show(options, page, () => chargeTable(page.items) + more(page.next_cursor));
    });

  command
    .command('resolve')
    .description('resolve an unknown charge by what you saw at the processor')
    .argument('<merchant>')
    .argument('<key>', 'the idempotency key of the charge')
    .addOption(
      new Option('--result <result>', 'what the processor shows')
        .choices(['succeeded', 'declined', 'not_made'])
        .makeOptionMandatory(),
    )
    .option('--psp-transaction-id <id>', "the charge's id there; required for succeeded")
    .requiredOption('--reason <words>', 'who saw it and where; kept')
    .action(async (merchant: string, key: string, options: ResolveOptions) => {
      const client = await cli.open();
      const path = `/merchants${pathOf(merchant)}/unknown-charges${pathOf(key)}/settle`;
      const answer = await client.post<{ status: string }>(path, {
        result: options.result,
        psp_transaction_id: options.pspTransactionId,
        reason: options.reason,
      });
      cli.show(options, answer, () => `The payment is ${answer.status}.`);
    });
}

function chargeTable(items: readonly UnknownCharge[]): string {
  return table(
    items,
    [
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'INVOICE', text: (item) => item.invoice_id },
      { head: 'PSP', text: (item) => item.psp },
      { head: 'KEY', text: (item) => item.idempotency_key },
      { head: 'AMOUNT', text: (item) => `${item.amount} ${item.currency}`, align: 'right' },
      { head: 'SENT AT', text: (item) => time(item.sent_at) },
      { head: 'LOOK-UPS', text: (item) => item.look_ups.toString(), align: 'right' },
      { head: 'NEXT', text: nextStep },
      { head: 'REASON', text: (item) => item.reason },
    ],
    'No charge is unknown.',
  );
}

/** After the ladder of look-ups a person is asked for, and the processor once a day still. */
function nextStep({ look_ups: lookUps, next_look_up_at: at }: UnknownCharge): string {
  const asked = time(at);
  if (asked === undefined) return 'a person';
  return lookUps < lookUpsOfLadder ? asked : `a person; asked ${asked}`;
}
