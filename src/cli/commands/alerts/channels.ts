import type { Command } from 'commander';
import type { Static } from 'typebox';
import { present } from '../../../domain/present.ts';
import type { channelShape, routeShape } from '../../../operator/alerts/alert-shapes.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { pathOf } from '../../operator-client.ts';
import { table, time } from '../../table.ts';
import { eachValue } from '../each-value.ts';
import { readBody } from '../merchants/merchant-options.ts';
import { readWhole } from '../page-options.ts';

type Channel = Static<typeof channelShape>;
type Route = Static<typeof routeShape>;

interface AddOptions extends ShowOptions {
  readonly email?: readonly string[];
  readonly from?: string;
}

interface UpdateOptions extends AddOptions {
  readonly name?: string;
}

interface RouteOptions extends ShowOptions {
  readonly severity?: readonly string[];
  readonly kind?: readonly string[];
  readonly merchant?: readonly string[];
  readonly repeatMinutes?: number;
  /** False: its end is not told. */
  readonly resolved: boolean;
}

const emailOption = ['--email <address>', 'send e-mail to this address; may be repeated'] as const;
const fromOption = [
  '--from <file>',
  'the target with its secrets, as JSON; - reads standard input',
] as const;

/** The commands of `recoup alerts` about where alerts are sent. */
export function addChannels(alerts: Command, cli: Cli): void {
  alerts
    .command('channels')
    .description('list channels and their routes')
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ channels: Channel[]; routes: Route[] }>('/alert-channels');
      cli.show(options, answer, () =>
        [channelTable(answer.channels), routeTable(answer.routes)].join('\n\n'),
      );
    });
  addChannelChanges(alerts, cli);
  addChannelUses(alerts, cli);
  addRoutes(alerts, cli);
}

function addChannelChanges(alerts: Command, cli: Cli): void {
  alerts
    .command('add-channel')
    .description('add a channel; it receives nothing until it has a route')
    .argument('<name>')
    .option(...emailOption, eachValue)
    .option(...fromOption)
    .action(async (name: string, options: AddOptions) => {
      const target = await targetOf(cli, options);
      if (target === undefined) {
        throw new CliError(exitCodes.usage, 'Give --email, or the target by --from.');
      }
      const client = await cli.open();
      const added = await client.post<Channel>('/alert-channels', { ...target, name });
      cli.show(options, added, () => channelTable([added]));
    });

  alerts
    .command('update-channel')
    .description('change the fields that are given; pending alerts go to the new address')
    .argument('<channel>')
    .option('--name <name>', 'the name of the channel')
    .option(...emailOption, eachValue)
    .option(...fromOption)
    .action(async (channel: string, options: UpdateOptions) => {
      const body = { ...(await targetOf(cli, options)), ...present({ name: options.name }) };
      if (Object.keys(body).length === 0) {
        throw new CliError(exitCodes.usage, 'Give --name, --email or --from.');
      }
      const client = await cli.open();
      const changed = await client.patch<Channel>(`/alert-channels${pathOf(channel)}`, body);
      cli.show(options, changed, () => channelTable([changed]));
    });
}

function addChannelUses(alerts: Command, cli: Cli): void {
  for (const [command, is_paused, what] of [
    ['pause-channel', true, 'send nothing to a channel until it is resumed'],
    ['resume-channel', false, 'resume a paused channel'],
  ] as const) {
    alerts
      .command(command)
      .description(what)
      .argument('<channel>')
      .action(async (channel: string, options: ShowOptions) => {
        const client = await cli.open();
        const path = `/alert-channels${pathOf(channel)}`;
        const changed = await client.patch<Channel>(path, { is_paused });
        cli.show(options, changed, () => channelTable([changed]));
      });
  }

  alerts
    .command('remove-channel')
    .description('remove a channel with its routes and messages')
    .argument('<channel>')
    .action(async (channel: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(`/alert-channels${pathOf(channel)}`);
      cli.show(options, { removed: channel }, () => `${channel} is removed.`);
    });

  alerts
    .command('test')
    .description('send a test alert to a channel now, and show whether it was accepted')
    .argument('<channel>')
    .action(async (channel: string, options: ShowOptions) => {
      const client = await cli.open();
      const path = `/alert-channels${pathOf(channel)}/test`;
      const test = await client.post<{ sent: boolean; detail?: string }>(path);
      cli.show(options, test, () => (test.sent ? 'It was taken.' : `Not taken: ${test.detail}`));
    });
}

function addRoutes(alerts: Command, cli: Cli): void {
  alerts
    .command('route')
    .description('send alerts to a channel: those that match all options given')
    .argument('<channel>')
    .option('--severity <severity>', 'page or ticket', eachValue)
    .option('--kind <kind>', 'only this kind; may be repeated', eachValue)
    .option('--merchant <merchant>', 'only alerts about this merchant', eachValue)
    .option(
      '--repeat-minutes <n>',
      'minutes until an alert that still stands is sent again (default: 240)',
      readWhole,
    )
    .option('--no-resolved', 'do not say when an alert has ended')
    .action(async (channel: string, options: RouteOptions) => {
      const client = await cli.open();
      const { severity: severities, kind: kinds, merchant: merchants } = options;
      const times = { repeat_minutes: options.repeatMinutes, tells_resolved: options.resolved };
      const body = present({ severities, kinds, merchants, ...times });
      const added = await client.post<Route>(`/alert-channels${pathOf(channel)}/routes`, body);
      cli.show(options, added, () => routeTable([added]));
    });

  alerts
    .command('remove-route')
    .description('remove a route')
    .argument('<route>')
    .action(async (route: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(`/alert-routes${pathOf(route)}`);
      cli.show(options, { removed: route }, () => `${route} is removed.`);
    });
}

/** Of a body that has a target; undefined where neither option is given. */
async function targetOf(cli: Cli, { email, from }: AddOptions): Promise<object | undefined> {
  if (email !== undefined && from !== undefined) {
    throw new CliError(exitCodes.usage, 'Give --email or --from, not both.');
  }
  if (from !== undefined) return readBody(await cli.readFile(from));
  return email && { target: { kind: 'email', to: email } };
}

function channelTable(channels: readonly Channel[]): string {
  return table(
    channels,
    [
      { head: 'CHANNEL', text: ({ id }) => id },
      { head: 'NAME', text: ({ name }) => name },
      { head: 'KIND', text: ({ kind }) => kind },
      { head: 'TO', text: ({ hint }) => hint },
      { head: 'STATE', text: stateOf },
      { head: 'LAST SENT', text: ({ last_sent_at: at }) => time(at) },
    ],
    'There is no channel: alerts are sent nowhere.',
  );
}

function stateOf({
  is_paused: isPaused,
  failing_since: since,
  last_error: error,
}: Channel): string {
  if (isPaused) return 'paused';
  return since === undefined ? 'ok' : `fails since ${time(since)}: ${error ?? ''}`;
}

function routeTable(routes: readonly Route[]): string {
  return table(
    routes,
    [
      { head: 'ROUTE', text: ({ id }) => id },
      { head: 'CHANNEL', text: ({ channel_id: id }) => id },
      { head: 'SEVERITIES', text: ({ severities }) => severities?.join(', ') ?? 'all' },
      { head: 'KINDS', text: ({ kinds }) => kinds?.join(', ') ?? 'all' },
      { head: 'MERCHANTS', text: ({ merchants }) => merchants?.join(', ') ?? 'all' },
      { head: 'AGAIN AFTER', text: ({ repeat_minutes: n }) => `${n} min` },
      { head: 'END', text: ({ tells_resolved: told }) => (told ? 'told' : 'not told') },
    ],
    'There is no route.',
  );
}
