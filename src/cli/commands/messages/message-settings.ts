import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import type { messagesShape } from '../../../operator/messages/message-shapes.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { pathOf } from '../../operator-client.ts';
import { details, table } from '../../table.ts';
import { readBody } from '../merchants/merchant-options.ts';
import { readWhole } from '../page-options.ts';

type Settings = Static<typeof messagesShape>;

interface SetOptions extends ShowOptions {
  readonly on?: boolean;
  readonly sender?: string;
  readonly replyTo?: string;
  readonly timeZone?: string;
  readonly quietFrom?: number;
  readonly quietUntil?: number;
  readonly maxMessages?: number;
  readonly firstAfterHours?: number;
  readonly gapHours?: number;
  readonly holdoutShare?: string;
  readonly language?: string;
}

interface TestOptions extends ShowOptions {
  readonly to: string;
  readonly reason: string;
  readonly language: string;
}

const settingsOf = (merchant: string) => `/merchants${pathOf(merchant)}/message-settings`;

/** recoup messages settings, set, test, template, remove-template */
export function addMessageSettings(messages: Command, cli: Cli): void {
  messages
    .command('settings')
    .description("show a merchant's message settings and templates")
    .argument('<merchant>')
    .action(async (merchant: string, options: ShowOptions) => {
      const client = await cli.open();
      const settings = await client.get<Settings>(settingsOf(merchant));
      cli.show(options, settings, () => settingsText(settings));
    });
  addSet(messages, cli);
  addTest(messages, cli);
  addTemplates(messages, cli);
}

function addSet(messages: Command, cli: Cli): void {
  messages
    .command('set')
    .description('change the settings that are given; leave the rest')
    .argument('<merchant>')
    .option('--on', 'send messages to customers')
    .addOption(new Option('--no-on', 'send no messages'))
    .option('--sender <mailbox>', 'the sender of the messages')
    .option('--reply-to <mailbox>', 'the address for replies')
    .option('--time-zone <zone>', 'the zone of the quiet hours, such as Europe/Berlin')
    .option('--quiet-from <hour>', 'the hour from which nothing is sent', readWhole)
    .option('--quiet-until <hour>', 'the hour from which messages are sent again', readWhole)
    .option('--max-messages <n>', 'messages about one payment', readWhole)
    .option('--first-after-hours <n>', 'hours until the first message', readWhole)
    .option('--gap-hours <n>', 'hours between two messages', readWhole)
    .option(
      '--holdout-share <share>',
      'share of payments without messages, to compare with, such as 0.1',
    )
    .option('--language <tag>', 'for customers whose language is not known')
    .action(async (merchant: string, options: SetOptions) => {
      const client = await cli.open();
      const share = options.holdoutShare;
      const settings = await client.patch<Settings>(settingsOf(merchant), {
        on: options.on,
        sender: options.sender,
        reply_to: options.replyTo,
        time_zone: options.timeZone,
        quiet_from: options.quietFrom,
        quiet_until: options.quietUntil,
        max_messages: options.maxMessages,
        first_after_hours: options.firstAfterHours,
        gap_hours: options.gapHours,
        holdout_share: share === undefined ? undefined : Number(share),
        language: options.language,
      });
      cli.show(options, settings, () => settingsText(settings));
    });
}

function addTest(messages: Command, cli: Cli): void {
  messages
    .command('test')
    .description('send a test message now, about a made-up payment')
    .argument('<merchant>')
    .requiredOption('--to <email>', 'who receives it')
    .option('--reason <reason>', 'which template', 'expired_card')
    .option('--language <tag>', 'the language', 'en')
    .action(async (merchant: string, options: TestOptions) => {
      const client = await cli.open();
      const { to, reason, language } = options;
      const path = `/merchants${pathOf(merchant)}/message-tests`;
      const answer = await client.post<{ sent: boolean; detail?: string }>(path, {
        to,
        reason,
        language,
      });
      cli.show(options, answer, () =>
        answer.sent ? 'It was taken.' : `Not taken: ${answer.detail}`,
      );
    });
}

function addTemplates(messages: Command, cli: Cli): void {
  const pathTo = (merchant: string, reason: string, language: string) =>
    `/merchants${pathOf(merchant)}/message-templates${pathOf(reason)}${pathOf(language)}`;
  messages
    .command('template')
    .description("set a merchant's own template for a reason and language")
    .argument('<merchant>')
    .argument('<reason>')
    .argument('<language>')
    .requiredOption('--from <file>', 'a JSON file with subject and body, or - for standard input')
    .action(
      async (
        merchant: string,
        reason: string,
        language: string,
        options: ShowOptions & { readonly from: string },
      ) => {
        const client = await cli.open();
        const body = readBody(await cli.readFile(options.from));
        const path = pathTo(merchant, reason, language);
        const template = await client.put<{ subject: string }>(path, body);
        cli.show(options, template, () => `${reason} (${language}): ${template.subject}`);
      },
    );
  messages
    .command('remove-template')
    .description("remove a merchant's own template; Recoup's is used again")
    .argument('<merchant>')
    .argument('<reason>')
    .argument('<language>')
    .action(async (merchant: string, reason: string, language: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(pathTo(merchant, reason, language));
      cli.show(options, { removed: reason, language }, () => `${reason} (${language}) is removed.`);
    });
}

function settingsText(settings: Settings): string {
  const { quiet_from: from, quiet_until: until } = settings;
  const facts = details([
    ['messages', settings.on ? 'on' : 'off'],
    ['missing', settings.missing.join('; ') || 'nothing'],
    ['sender', settings.sender ?? 'none'],
    ['reply to', settings.reply_to ?? 'the sender'],
    ['quiet', from === until ? 'never' : `${from}:00 to ${until}:00 in ${settings.time_zone}`],
    ['messages about a payment', String(settings.max_messages)],
    ['first after', `${settings.first_after_hours} h`],
    ['gap', `${settings.gap_hours} h`],
    ['held out', `${Math.round(settings.holdout_share * 1_000) / 10} %`],
    ['language', settings.language],
  ]);
  const texts = table(
    settings.templates,
    [
      { head: 'REASON', text: ({ reason }) => reason },
      { head: 'LANGUAGE', text: ({ language }) => language },
      { head: 'WHOSE', text: ({ is_own: isOwn }) => (isOwn ? "the merchant's" : "Recoup's") },
      { head: 'SUBJECT', text: ({ subject }) => subject },
    ],
    'There is no text.',
  );
  return `${facts}\n\n${texts}`;
}
