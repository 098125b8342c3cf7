// Generated from openapi/operator.json by npm run generate; do not edit.
import type { AlertKindJson } from './overview.ts';

/** What a person should look at now. */
export type FiringAlertJson = {
  /** The same for as long as it lasts. */
  readonly key: string;
  /** docs/runbooks.md explains each. */
  readonly kind: AlertKindJson;
  /** `page` should wake somebody: money or requests are at stake now. `ticket` can wait until office hours. */
  readonly severity: AlertSeverityJson;
  readonly count: number;
  readonly title: string;
  readonly detail: string;
  /** What to do about it. */
  readonly action: string;
  /** When it was first seen, in real time. */
  readonly first_seen_at: string;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  readonly merchant_name?: string;
  readonly is_silenced: boolean;
};

/** `page` should wake somebody: money or requests are at stake now. `ticket` can wait until office hours. */
export type AlertSeverityJson = 'page' | 'ticket';

/** Such alerts are not sent to anybody until it ends. */
export type AlertSilenceJson = {
  readonly id: string;
  /** docs/runbooks.md explains each. */
  readonly kind?: AlertKindJson;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Why. */
  readonly reason: string;
  readonly created_by: string;
  /** Since when. */
  readonly created_at: string;
  /** Until when. */
  readonly ends_at: string;
};

export type AlertMessageStateJson = 'pending' | 'sent' | 'given_up';

/** A message to a channel. */
export type AlertMessageJson = {
  /** As the message itself names it. */
  readonly id: string;
  readonly channel_id: string;
  /** `pending` waits for its next try; `given_up` was not accepted for a day. */
  readonly state: AlertMessageStateJson;
  /** Sends so far. */
  readonly tries: number;
  /** When it was decided to send it, in real time. */
  readonly created_at: string;
  /** While it is pending. */
  readonly next_try_at?: string;
  /** When it was accepted or given up. */
  readonly ended_at?: string;
  /** Why it was not accepted the last time. */
  readonly last_error?: string;
  readonly alerts: readonly ToldAlertJson[];
};

export type ToldAlertJson = {
  /** The same for as long as it lasts. */
  readonly key: string;
  /** docs/runbooks.md explains each. */
  readonly kind: AlertKindJson;
  /** `resolved`: it has ended. */
  readonly state: 'firing' | 'resolved' | 'test';
  readonly count: number;
  readonly title: string;
  readonly detail: string;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
};

/** Where alerts are sent. Its address is never shown. */
export type AlertChannelJson = {
  readonly id: string;
  readonly name: string;
  /** How it is sent. */
  readonly kind: 'email' | 'slack' | 'webhook';
  /** The part of its address that may be shown. */
  readonly hint: string;
  readonly is_paused: boolean;
  /** When a message was last accepted. */
  readonly last_sent_at?: string;
  /** Since when no message has been accepted. */
  readonly failing_since?: string;
  readonly last_error?: string;
};

/** Which alerts go to a channel: absent means all. */
export type AlertRouteJson = {
  readonly id: string;
  readonly channel_id: string;
  readonly severities?: readonly AlertSeverityJson[];
  readonly kinds?: readonly AlertKindJson[];
  readonly merchants?: readonly string[];
  /** Sent again this long after it was last sent. */
  readonly repeat_minutes: number;
  /** Whether a message is sent when the alert ends. */
  readonly tells_resolved: boolean;
};

/** Where it sends to. Never shown again. */
export type AlertTargetJson = EmailTargetJson | SlackTargetJson | WebhookTargetJson;

export type EmailTargetJson = {
  readonly kind: 'email';
  readonly to: readonly string[];
};

export type SlackTargetJson = {
  readonly kind: 'slack';
  /** Kept sealed. */
  readonly url: string;
};

export type WebhookTargetJson = {
  readonly kind: 'webhook';
  /** Kept sealed. */
  readonly url: string;
  /** Signs each message as webhooks to merchants are signed. */
  readonly secret: string;
};

/** What became of it. */
export type AlertTestJson = {
  readonly sent: boolean;
  /** Why it was not accepted. */
  readonly detail?: string;
};

export type ListAlertsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
};

export type ListAlertsAnswer = {
  readonly alerts: readonly FiringAlertJson[];
  readonly silences: readonly AlertSilenceJson[];
};

export type ListAlertMessagesQuery = {
  /** Only messages to this channel. */
  readonly channel_id?: string;
  /** Only those in this state. */
  readonly state?: AlertMessageStateJson;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListAlertMessagesAnswer = {
  readonly items: readonly AlertMessageJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type SilenceAlertsBody = {
  /** docs/runbooks.md explains each. */
  readonly kind?: AlertKindJson;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Why, for other operators. */
  readonly reason: string;
  /** How long; 30 days at most. */
  readonly minutes: number;
};

export type ListAlertChannelsAnswer = {
  readonly channels: readonly AlertChannelJson[];
  readonly routes: readonly AlertRouteJson[];
};

export type AddAlertChannelBody = {
  /** A name for people to recognise it by. */
  readonly name: string;
  /** Where it sends to. Never shown again. */
  readonly target: AlertTargetJson;
};

export type ChangeAlertChannelBody = {
  /** A name for people to recognise it by. */
  readonly name?: string;
  /** Where it sends to. Never shown again. */
  readonly target?: AlertTargetJson;
  readonly is_paused?: boolean;
};

export type AddAlertRouteBody = {
  readonly severities?: readonly AlertSeverityJson[];
  readonly kinds?: readonly AlertKindJson[];
  readonly merchants?: readonly string[];
  /** Default: 240. */
  readonly repeat_minutes?: number;
  /** Default: true. */
  readonly tells_resolved?: boolean;
};
