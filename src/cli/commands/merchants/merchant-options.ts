import { type Command, InvalidArgumentError } from 'commander';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { readWhole } from '../page-options.ts';

export interface MerchantOptions extends ShowOptions {
  readonly from?: string;
  readonly name?: string;
  readonly retryStatusUrl?: string;
  readonly webhookUrl?: string;
  readonly psp?: readonly string[];
  readonly policy?: string;
  readonly windowDays?: number;
  readonly maxAttempts?: number;
  readonly fixedDays?: readonly number[];
  readonly holdoutShare?: number;
  readonly learnedShare?: number;
  readonly exploreShare?: number;
  readonly timeZone?: string;
  readonly endOfDunning?: boolean;
  readonly incidentEvents?: boolean;
  readonly customerActionEvents?: boolean;
  readonly customerPageUrl?: string;
  readonly webhookQuickSends?: boolean;
  /** False: never. */
  readonly webhookPauseAfterDays?: number | false;
}

/** The settings of a merchant that are no secrets, and a file for all of them. */
export function addMerchantOptions(command: Command): Command {
  return command
    .option('--from <file>', 'a JSON file with the fields of the API, or - for standard input')
    .option('--name <name>', 'the name of the merchant')
    .option('--retry-status-url <url>', 'asked before each try; contains {invoice_id}')
    .option('--webhook-url <url>', 'where results are sent')
    .option('--psp <psp>', 'a processor that needs no credentials; may be repeated', collect)
    .option('--policy <kind>', 'fixed, even or learned')
    .option('--window-days <n>', 'days from the failure to the last try', readWhole)
    .option('--max-attempts <n>', 'maximum number of tries', readWhole)
    .option('--fixed-days <days>', 'days after the failure, such as 7,14,21,28', readDays)
    .option(
      '--holdout-share <share>',
      'learned policy: share of payments held out on the schedule, such as 0.1',
      readShare,
    )
    .option(
      '--learned-share <share>',
      'learned policy: share of payments that the model plans, set by hand',
      readShare,
    )
    .option(
      '--explore-share <share>',
      'learned policy: share of decisions taken by chance, such as 0.07',
      readShare,
    )
    .option(
      '--time-zone <zone>',
      "the zone of the merchant's calendar days, such as America/New_York",
    )
    .option('--end-of-dunning', 'also send the end_of_dunning event')
    .option('--incident-events', 'also send the incident event')
    .option('--customer-action-events', 'also send events of payments that wait for customers')
    .option(
      '--customer-page-url <url>',
      'your page for customers; contains {token}; empty for none',
    )
    .option('--webhook-quick-sends', 'also retry failed webhooks within the first hour')
    .option(
      '--webhook-pause-after-days <n>',
      'pause the webhook address after this many days of nothing but failures',
      readWhole,
    )
    .addHelpText(
      'after',
      "\nSecrets (auth, a processor's credentials) are read from the file alone, because other\nusers of a machine can see a command's options. An option wins over the file.",
    );
}

/** The API's body: the file's fields, and the options over them. */
export async function merchantBody(cli: Cli, options: MerchantOptions): Promise<object> {
  const file = options.from === undefined ? {} : readBody(await cli.readFile(options.from));
  const policy = given({
    kind: options.policy,
    window_days: options.windowDays,
    max_attempts: options.maxAttempts,
    fixed_days: options.fixedDays,
    holdout_share: options.holdoutShare,
    learned_share: options.learnedShare,
    explore_share: options.exploreShare,
  });
  const standing = 'policy' in file ? file.policy : undefined;
  return given({
    ...file,
    ...given({
      name: options.name,
      retry_status_url: options.retryStatusUrl,
      webhook_url: options.webhookUrl,
      psps: options.psp?.map((psp) => ({ psp })),
      time_zone: options.timeZone,
      end_of_dunning: options.endOfDunning,
      incident_events: options.incidentEvents,
      customer_action_events: options.customerActionEvents,
      customer_page_url: options.customerPageUrl,
      webhook_quick_sends: options.webhookQuickSends,
      webhook_pause_after_days:
        options.webhookPauseAfterDays === false ? 0 : options.webhookPauseAfterDays,
    }),
    policy: Object.keys(policy).length === 0 ? standing : { ...(standing ?? {}), ...policy },
  });
}

/** @throws CliError for what is not one JSON object; its words never repeat the text */
export function readBody(text: string): { readonly policy?: object } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, without the text: it may hold secrets.
  }
  throw new CliError(exitCodes.usage, 'The file does not hold one JSON object.');
}

function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

function readDays(text: string): readonly number[] {
  const days = text.split(',').map((day) => day.trim());
  if (days.some((day) => !/^\d{1,3}$/.test(day))) {
    throw new InvalidArgumentError('It must be days separated by commas, such as 7,14,21,28.');
  }
  return days.map(Number);
}

function readShare(text: string): number {
  const share = Number(text);
  if (!/^\d(\.\d{1,6})?$/.test(text) || share > 1) {
    throw new InvalidArgumentError('It must be a share from 0 to 1, such as 0.1.');
  }
  return share;
}
