import { alertKinds } from '../../domain/alerts/alert-kinds.ts';
import { minuteMs } from '../../domain/clock.ts';
import { markdownTable } from './markdown-table.ts';

const head = `# Alerts

Generated from \`src/domain/alerts/alert-kinds.ts\` by \`npm run generate\`; do not edit.

Recoup looks once a minute for what needs a person, and sends it to whom it concerns: by e-mail, to Slack or what takes
Slack's form (Mattermost, Discord's \`/slack\`), or as a signed webhook. One worker of all looks at a time, and what was told is kept, so each
channel is told once, whatever restarts. The [alerts for Prometheus](operating.md#watching) go another way and know of
the processes themselves; neither needs the other. Where no worker runs, nobody looks: what then waits is told by
Prometheus (\`RecoupWorkWaits\`) and by \`recoup doctor\`.

## Channels and routes

A channel is where alerts are sent, a route says which go there. Administrators change both:

\`\`\`sh
npm run recoup -- alerts add-channel 'On call' --email oncall@example.com
npm run recoup -- alerts test alc_7c1x…
npm run recoup -- alerts route alc_7c1x… --severity page --repeat-minutes 60
\`\`\`

- **E-mail** needs [SMTP_URL and ALERT_SENDER](settings.md#alerts).
- **Slack**: \`--from slack.json\` with \`{"target": {"kind": "slack", "url": "https://hooks.slack.com/…"}}\`.
- **Webhook**: \`{"target": {"kind": "webhook", "url": "https://…", "secret": "…"}}\`, a secret of 24 to 200 characters. It is signed as
  webhooks to merchants are ([how to verify](verifying-webhooks.md)); its type is \`alerts\`.

Addresses and secrets are kept sealed and shown to nobody afterwards. \`test\` sends at once and says what the other side answered. What is
not taken is sent again after 30 s, then after twice as long each time, for a day; meanwhile the other channels are told that
this one fails. An e-mail that some recipients have and others are refused for good (5xx) is not sent again, and the channel
counts as failing.

A route without \`--severity\`, \`--kind\` or \`--merchant\` has all; what fits several routes of a channel is told once. An alert is told
once it has lasted as long as the table says, again after the route's time while it lasts (four hours unless it says otherwise),
when it has grown where the table says so (a quarter of an hour after the last time at the soonest), and when it has ended, unless the
route says \`--no-resolved\`. It has ended when it was not there for three minutes.

While the database does not answer or takes no writes, each process tells by itself, with the routes that it read last; a
process that starts meanwhile has read none.

## Silences

\`\`\`sh
npm run recoup -- alerts silence --kind endpoint_failing --minutes 240 --reason 'they move servers'
\`\`\`

Operators hold back a kind, what is about a merchant, or all, for 30 days at most. What is still there when the silence ends is told then. Who silenced what,
and each change of channels and routes, is in the audit log.

## What was sent

\`npm run recoup -- alerts sent\`, Alerts > Sent on the dashboard and \`GET /api/alert-messages\` list what each channel was told, whether it took
it and what it answered, for ninety days.

## What a webhook is sent

\`\`\`json
{
  "type": "alerts",
  "id": "alm_4d…",
  "created_at": "2026-06-01T10:02:00.000Z",
  "alerts": [
    {
      "key": "incidents/mer_3v5k…",
      "kind": "incidents",
      "severity": "ticket",
      "state": "firing",
      "count": 1,
      "title": "Acme: 1 incident",
      "detail": "the processor’s record differs from ours; the invoices are frozen",
      "at": "2026-06-01T10:00:00.000Z",
      "merchant_id": "mer_3v5k…",
      "merchant_name": "Acme",
      "url": "https://recoup.example.com/incidents?state=unresolved"
    }
  ]
}
\`\`\`

\`state\` is \`firing\`, \`resolved\` or \`test\`; \`key\` is the same for as long as an alert lasts; \`url\` is there where
[OPERATOR_URL](settings.md) says where the dashboard is. No message holds personal data.

## Kinds

`;

/** docs/alerts.md: where alerts go, and every kind with what it means and what to do. */
export function renderAlertsDoc(): string {
  const rows = Object.entries(alertKinds).map(([kind, facts]) => [
    `\`${kind}\``,
    `\`${facts.severity}\``,
    facts.meaning,
    `${facts.action} [More](runbooks.md#${facts.runbook.toLowerCase()})`,
    facts.graceMs === 0 ? 'at once' : `after ${facts.graceMs / minuteMs} min`,
    facts.tellsMore ? 'yes' : 'no',
  ]);
  return (
    head +
    markdownTable(
      ['kind', 'severity', 'what it means', 'what to do', 'told', 'told as it grows'],
      rows,
    )
  );
}
