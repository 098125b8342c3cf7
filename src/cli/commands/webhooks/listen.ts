import type { Command } from 'commander';
import type { Static } from 'typebox';
import { secondMs } from '../../../domain/clock.ts';
import { present } from '../../../domain/present.ts';
import { printable } from '../../../domain/truncated-text.ts';
import type { followedShape } from '../../../operator/events/follow-events.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { type OperatorClient, pathOf } from '../../operator-client.ts';
import { time } from '../../table.ts';
import { forwardWebhook } from './forward-webhook.ts';

type Followed = Static<typeof followedShape>;
type Event = Followed['items'][number];

interface ListenOptions extends ShowOptions {
  readonly merchant?: string;
  readonly forwardTo?: string;
  readonly secret?: string;
  readonly after?: string;
  readonly count?: string;
}

/** recoup listen */
export function addListen(program: Command, cli: Cli): void {
  program
    .command('listen')
    .description('print events as they happen, and forward them to a local address')
    .option(
      '--merchant <merchant>',
      "only this merchant's events; may be omitted if there is one merchant",
    )
    .option('--forward-to <url>', 'send each event as a signed webhook to this address')
    .option('--secret <secret>', 'sign with this secret instead of a new one')
    .option(
      '--after <sequence>',
      'start after this event; 0 starts with the first (default: new events only)',
    )
    .option('--count <number>', 'stop after this many events (default: when interrupted)')
    .addHelpText(
      'after',
      `
For developing a webhook server: Recoup still sends each event to your merchant's address, and a copy goes
to --forward-to, signed with the secret that is shown at the start. A failed copy is not retried.
${examples(
  'listen',
  'listen --forward-to http://localhost:4242/webhooks',
  'listen --after 0 --count 20 --json      the first twenty events, one JSON line each',
)}`,
    )
    .action((options: ListenOptions) => listen(cli, options));
}

async function listen(cli: Cli, options: ListenOptions): Promise<void> {
  const max = countOf(options.count);
  const forwardTo = addressOf(options.forwardTo);
  const secret = options.secret ?? cli.newSecret();
  const client = await cli.open();
  const merchant = options.merchant ?? (await onlyMerchant(client));
  let cursor = options.after ?? (await read(client, merchant, undefined)).cursor;
  cli.note(`Listening to ${merchant} after event ${cursor}. End with Ctrl-C.`);
  if (forwardTo !== undefined) {
    cli.note(`Forwarding to ${forwardTo}, signed with ${secret}`);
  }
  for (let seen = 0; ; ) {
    const page = await read(client, merchant, cursor);
    for (const event of page.items) {
      const result =
        forwardTo === undefined
          ? undefined
          : await forwardWebhook({ url: forwardTo, secret, sentAt: cli.now() }, event);
      print(cli, options, event, result);
      seen += 1;
      if (seen === max) return;
    }
    cursor = page.cursor;
    if (page.items.length === 0) await cli.pause(secondMs);
  }
}

function read(
  client: OperatorClient,
  merchant: string,
  after: string | undefined,
): Promise<Followed> {
  return client.get<Followed>(
    `/merchants${pathOf(merchant)}/events`,
    after === undefined ? {} : { after },
  );
}

async function onlyMerchant(client: OperatorClient): Promise<string> {
  const { items } = await client.get<{ items: readonly { id: string }[] }>('/merchants', {
    limit: 2,
  });
  const [first, second] = items;
  if (first !== undefined && second === undefined) return first.id;
  const words = first === undefined ? 'There is no merchant yet.' : 'There are several merchants.';
  throw new CliError(exitCodes.usage, `${words} Name one: --merchant <merchant>.`);
}

function print(cli: Cli, options: ShowOptions, event: Event, result: string | undefined): void {
  if (options.json) {
    cli.line(JSON.stringify({ ...event, ...present({ forwarded: result }) }));
    return;
  }
  const body = JSON.parse(event.payload) as Readonly<Record<string, unknown>>;
  const words = [
    time(event.created_at),
    event.type,
    event.invoice_id ?? String(body.subscription_id),
    outcomeOf(body),
    event.event_id,
  ];
  const sent = result === undefined ? '' : `  -> ${result}`;
  cli.line(printable(words.join('  ')) + sent);
}

function outcomeOf(body: Readonly<Record<string, unknown>>): string {
  if (typeof body.recovered === 'boolean') return body.recovered ? 'recovered' : 'not recovered';
  if (body.resolved_by !== undefined) return String(body.resolved_by);
  if (body.reason !== undefined) return String(body.reason);
  const amount = `${String(body.amount_collected)} ${String(body.currency)}`;
  return body.success === true ? `paid ${amount}` : `declined ${amount}`;
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError(exitCodes.usage, '--count must be a whole number from 1.');
}

function addressOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { protocol } = URL.parse(text) ?? {};
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new CliError(exitCodes.usage, '--forward-to must begin with http:// or https://.');
}
