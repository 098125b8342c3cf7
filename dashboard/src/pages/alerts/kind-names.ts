import type { AlertSeverityJson } from '../../api/generated/alerts.ts';
import type { AlertKindJson } from '../../api/generated/overview.ts';

/** Each kind in words. */
export const kindNames: Readonly<Record<AlertKindJson, string>> = {
  database_refuses: 'Database does not answer',
  invariant_broken: 'A ledger check fails',
  work_held_back: 'A process takes no work',
  unknown_outcomes: 'Unknown outcomes',
  disk_low: 'Disk nearly full',
  incidents: 'Incidents',
  set_aside: 'Work set aside',
  endpoint_failing: 'Endpoint fails',
  endpoint_paused: 'Endpoint paused',
  webhooks_given_up: 'Webhooks given up',
  messages_failing: 'Messages not sent',
  disputes_due: 'Disputes due',
  model_drifted: 'Model drifted',
  network_limits: 'Refused by a network’s rules',
  cards_near_limit: 'Cards near a limit',
  channel_failing: 'Channel fails',
};

/** How soon somebody has to look. */
export const urgencies: Readonly<Record<AlertSeverityJson, string>> = {
  page: 'now',
  ticket: 'within the day',
};
