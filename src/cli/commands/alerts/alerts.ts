import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { firingShape, silenceShape } from '../../../operator/alerts/alert-shapes.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { table, time } from '../../table.ts';
import { readWhole } from '../page-options.ts';
import { addChannels } from './channels.ts';
import { addSent } from './sent.ts';

type Firing = Static<typeof firingShape>;
type Silence = Static<typeof silenceShape>;

interface SilenceOptions extends ShowOptions {
  readonly reason: string;
  readonly minutes: number;
  readonly kind?: string;
  readonly merchant?: string;
}

/** recoup alerts */
export function addAlerts(program: Command, cli: Cli): void {
  const alerts = program
    .command('alerts')
    .description('show and silence what needs a person now, and manage where it is sent')
    .addHelpText(
      'after',
      examples(
        'alerts list',
        "alerts silence --kind endpoint_failing --minutes 240 --reason 'they move servers'",
        'alerts sent --state given_up',
        'alerts channels',
        "alerts add-channel 'On call' --email oncall@example.com",
        'alerts add-channel Slack --from slack.json    {"target": {"kind": "slack", "url": …}}',
        'alerts update-channel alc_7c1x… --email night@example.com --email day@example.com',
        'alerts route alc_7c1x… --severity page --repeat-minutes 60',
        'alerts test alc_7c1x…',
      ),
    );
  addLists(alerts, cli);
  addSent(alerts, cli);
  addChannels(alerts, cli);
}

function addLists(alerts: Command, cli: Cli): void {
  alerts
    .command('list')
    .description('list current alerts, at most two minutes old, and silences')
    .option('--merchant <merchant>', 'only alerts about this merchant')
    .action(async (options: ShowOptions & { readonly merchant?: string }) => {
      const client = await cli.open();
      const answer = await client.get<{ alerts: Firing[]; silences: Silence[] }>('/alerts', {
        merchant_id: options.merchant,
      });
      cli.show(options, answer, () =>
        [firingTable(answer.alerts), silenceTable(answer.silences)].join('\n\n'),
      );
    });

  alerts
    .command('silence')
    .description(
      'silence the alerts that match; what still stands when the silence ends is sent then',
    )
    .requiredOption('--minutes <n>', 'how long, at most 30 days', readWhole)
    .requiredOption('--reason <text>', 'why, for other operators')
    .option('--kind <kind>', 'only this kind; docs/alerts.md lists them')
    .option('--merchant <merchant>', 'only alerts about this merchant')
    .action(async (options: SilenceOptions) => {
      const client = await cli.open();
      const { minutes, reason, kind, merchant: merchant_id } = options;
      const body = { minutes, reason, kind, merchant_id };
      const silence = await client.post<Silence>('/alert-silences', body);
      cli.show(options, silence, () => silenceTable([silence]));
    });

  alerts
    .command('end-silence')
    .description('end a silence')
    .argument('<silence>')
    .action(async (silence: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(`/alert-silences${pathOf(silence)}`);
      cli.show(options, { ended: silence }, () => `${silence} has ended.`);
    });
}

function firingTable(alerts: readonly Firing[]): string {
  return table(
    alerts,
    [
      { head: 'SINCE', text: (alert) => time(alert.first_seen_at) },
      { head: 'SEVERITY', text: (alert) => alert.severity },
      { head: 'KIND', text: (alert) => alert.kind },
      { head: 'WHAT', text: (alert) => `${alert.title}: ${alert.detail}` },
      { head: '', text: (alert) => (alert.is_silenced ? 'silenced' : '') },
    ],
    'Nothing needs a person now.',
  );
}

function silenceTable(silences: readonly Silence[]): string {
  return table(
    silences,
    [
      { head: 'SILENCE', text: ({ id }) => id },
      { head: 'KIND', text: ({ kind }) => kind ?? 'all' },
      { head: 'MERCHANT', text: ({ merchant_id: id }) => id ?? 'all' },
      { head: 'UNTIL', text: ({ ends_at: at }) => time(at) },
      { head: 'BY', text: ({ created_by: by }) => by },
      { head: 'WHY', text: ({ reason }) => reason },
    ],
    'Nothing is silenced.',
  );
}
