import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import type {
  AlertChannel,
  AlertRoute,
  AlertSilence,
  AlertState,
  SentMessage,
} from '../../recovery/alerts/alert-ports.ts';
import type { Page } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import {
  type ChannelRow,
  channelColumns,
  type MessageRow,
  messageColumns,
  type RouteRow,
  routeColumns,
  type SilenceRow,
  type StateRow,
  silenceColumns,
  stateColumns,
  toChannel,
  toMessage,
  toRoute,
  toSilence,
  toState,
} from './alert-rows.ts';

const states: Statement = {
  name: 'list_alert_states',
  text: `
    select ${stateColumns} from alert_states
    where gone_at is null and ($1::text is null or merchant_id = $1)
      and ($2::text[] is null or kind = any ($2))
    order by first_seen_at desc, alert_key`,
};

const channels: Statement = {
  name: 'list_alert_channels',
  text: `select ${channelColumns} from alert_channels order by created_at, channel_id`,
};

const routes: Statement = {
  name: 'list_alert_routes',
  text: `select ${routeColumns} from alert_routes order by created_at, route_id`,
};

const silences: Statement = {
  name: 'list_alert_silences',
  text: `
    select ${silenceColumns} from alert_silences
    where ends_at > $1 and ($2::text is null or merchant_id is null or merchant_id = $2)
    order by ends_at, silence_id`,
};

const messages: Statement = {
  name: 'list_alert_messages',
  text: `
    select ${messageColumns} from alert_messages
    where (created_at, message_id) < (coalesce($1::timestamptz, 'infinity'), coalesce($2::text, ''))
    order by created_at desc, message_id desc
    limit $3`,
};

const failing: Statement = {
  name: 'list_failing_alert_channels',
  text: `
    select ${channelColumns} from alert_channels
    where failing_since is not null and not is_paused`,
};

/** Alerts that are there now, the newest first. */
export async function listAlertStates(
  db: Queryable,
  input: { readonly merchantId?: string | undefined; readonly kinds?: readonly AlertKind[] },
): Promise<readonly AlertState[]> {
  return (await db.query<StateRow>(states, [input.merchantId, input.kinds])).map(toState);
}

export async function listAlertChannels(db: Queryable): Promise<readonly AlertChannel[]> {
  return (await db.query<ChannelRow>(channels, [])).map(toChannel);
}

/** Channels that do not take what they are sent. */
export async function listFailingChannels(db: Queryable): Promise<readonly AlertChannel[]> {
  return (await db.query<ChannelRow>(failing, [])).map(toChannel);
}

export async function listAlertRoutes(db: Queryable): Promise<readonly AlertRoute[]> {
  return (await db.query<RouteRow>(routes, [])).map(toRoute);
}

/** Silences that have not ended, the one that ends first at the top. */
export async function listAlertSilences(
  db: Queryable,
  input: { readonly at: Date; readonly merchantId?: string | undefined },
): Promise<readonly AlertSilence[]> {
  return (await db.query<SilenceRow>(silences, [input.at, input.merchantId])).map(toSilence);
}

/** What channels were sent, the newest first. */
export async function listAlertMessages(
  db: Queryable,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
): Promise<Page<SentMessage>> {
  const rows = await db.query<MessageRow>(messages, [...placeOf(cursor, 1), limit + 1]);
  return pageOf(rows, limit, {
    item: toMessage,
    keys: (row) => [row.created_at.toISOString(), row.message_id],
  });
}
