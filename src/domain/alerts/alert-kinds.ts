import { hourMs, minuteMs } from '../clock.ts';

/** `page` should wake somebody: money or requests are at stake now. `ticket` can wait until office hours. */
export const alertSeverities = ['page', 'ticket'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** What is known of a kind of alert, wherever it is shown or sent. */
export interface AlertKindFacts {
  readonly severity: AlertSeverity;
  /** What it means, as a sentence. */
  readonly meaning: string;
  /** What whoever reads it should do, as a sentence. */
  readonly action: string;
  /** The dashboard's page where that is done, with what it is narrowed to. */
  readonly page: string;
  /** Its section of docs/runbooks.md. */
  readonly runbook: string;
  /** It has to last so long before anybody is told: what ends by itself sooner wakes nobody. */
  readonly graceMs: number;
  /** Each more is news of its own, and is told before the next repetition. */
  readonly tellsMore: boolean;
}

/**
 * Every kind of alert, once. What the overview shows as needing attention, what channels are sent, and
 * docs/alerts.md all read this table.
 */
export const alertKinds = {
  database_refuses: {
    severity: 'page',
    meaning:
      'The database does not answer or takes no writes: nothing is retried and no report is taken.',
    action: 'Check /readyz of the process, which names the reason, and repair the database.',
    page: '/',
    runbook: 'RecoupErrors',
    graceMs: 2 * minuteMs,
    tellsMore: false,
  },
  invariant_broken: {
    severity: 'page',
    meaning: 'Stored records contradict what the engine promises, or the totals do not agree.',
    action: 'Stop the workers, keep the log and a copy of the rows, and report it.',
    page: '/invariants',
    runbook: 'RecoupInvariantBroken',
    graceMs: minuteMs,
    tellsMore: true,
  },
  work_held_back: {
    severity: 'page',
    meaning: 'A process takes no work, since its time cannot be trusted.',
    action: 'Synchronise the clocks (NTP) of its machine and of the database.',
    page: '/',
    runbook: 'RecoupHoldsBack',
    graceMs: 2 * minuteMs,
    tellsMore: false,
  },
  unknown_outcomes: {
    severity: 'page',
    meaning: 'Charges stay without an answer, and each of them blocks its invoice.',
    action: 'If the processor is down, wait; resolve by hand those that wait for a person.',
    page: '/payments?status=attempting&range=all',
    runbook: 'RecoupOutcomesUnknown',
    graceMs: 10 * minuteMs,
    tellsMore: false,
  },
  disk_low: {
    severity: 'page',
    meaning: 'The disk of the embedded database is nearly full.',
    action: 'Free disk space: a full disk stops the database, and with it every answer.',
    page: '/',
    runbook: 'RecoupErrors',
    graceMs: 0,
    tellsMore: false,
  },
  incidents: {
    severity: 'ticket',
    meaning: 'What a processor reports contradicts the record; the invoices are frozen.',
    action: 'Look the charge up at the processor, then refund or dismiss the incident.',
    page: '/incidents?state=unresolved',
    runbook: 'RecoupIncidentsOpen',
    graceMs: 0,
    tellsMore: true,
  },
  set_aside: {
    severity: 'ticket',
    meaning: 'Jobs that kept failing are not run again until somebody retries them.',
    action: 'Fix what the reason names, then retry them.',
    page: '/set-aside',
    runbook: 'RecoupWorkSetAside',
    graceMs: 0,
    tellsMore: true,
  },
  endpoint_failing: {
    severity: 'ticket',
    meaning: "A merchant's endpoint does not accept webhooks.",
    action:
      'Tell the merchant; if all endpoints fail at once, check the outbound network (OUTBOUND_ALLOW, DNS, egress).',
    page: '/webhooks',
    runbook: 'RecoupWebhooksFail',
    graceMs: 15 * minuteMs,
    tellsMore: false,
  },
  endpoint_paused: {
    severity: 'ticket',
    meaning: 'An endpoint is sent nothing until it is resumed; its events are kept.',
    action: 'When the endpoint is back, resume it.',
    page: '/webhooks',
    runbook: 'RecoupEndpointPaused',
    graceMs: 0,
    tellsMore: true,
  },
  webhooks_given_up: {
    severity: 'ticket',
    meaning: 'Webhooks were not accepted for seven days and are sent no more by themselves.',
    action: 'When the endpoint is back, send them again.',
    page: '/webhooks',
    runbook: 'RecoupWebhooksGivenUp',
    graceMs: 0,
    tellsMore: true,
  },
  messages_failing: {
    severity: 'ticket',
    meaning: 'Messages to customers do not go out: the mail server takes none.',
    action: 'See what it answers; mend it, or SMTP_URL. What waits is sent by itself then.',
    page: '/merchants',
    runbook: 'RecoupMessagesFail',
    graceMs: 0,
    tellsMore: false,
  },
  disputes_due: {
    severity: 'ticket',
    meaning: 'Disputes have to be answered within seven days.',
    action: 'Confirm the match where one is asked for, and submit, or accept the loss.',
    page: '/disputes',
    runbook: 'RecoupDisputeDue',
    graceMs: 0,
    tellsMore: true,
  },
  model_drifted: {
    severity: 'ticket',
    meaning: 'A model no longer predicts what happens, so fixed schedules are used instead.',
    action: 'Nothing is lost meanwhile; train a new model once its payments have ended.',
    page: '/policy',
    runbook: 'ModelDrifted',
    graceMs: 0,
    tellsMore: false,
  },
  network_limits: {
    severity: 'ticket',
    meaning: "Charges were refused by a card network's rules, which would have cost a fee.",
    action: 'See which cards, and whether the merchant retries them elsewhere too.',
    page: '/limits',
    runbook: 'NetworkLimits',
    graceMs: 0,
    tellsMore: false,
  },
  cards_near_limit: {
    severity: 'ticket',
    meaning: 'Cards have used half or more of what their network allows in 30 days.',
    action: 'See which cards, and whether the merchant retries them elsewhere too.',
    page: '/limits',
    runbook: 'NetworkLimits',
    graceMs: hourMs,
    tellsMore: false,
  },
  channel_failing: {
    severity: 'ticket',
    meaning: 'Alerts do not reach one of the channels.',
    action: 'Send a test from the page; correct the address, or the settings of the mail server.',
    page: '/alerts',
    runbook: 'ChannelFailing',
    graceMs: 5 * minuteMs,
    tellsMore: false,
  },
} as const satisfies Record<string, AlertKindFacts>;

export type AlertKind = keyof typeof alertKinds;

export const alertKindNames = Object.keys(alertKinds) as readonly AlertKind[];
