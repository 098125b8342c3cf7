import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type {
  AlertChannel,
  AlertRoute,
  AlertSilence,
  AlertState,
} from '../../recovery/alerts/alert-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import {
  allChannels,
  allRoutes,
  type ChannelRow,
  channelColumns,
  type RouteRow,
  type SilenceRow,
  type StateRow,
  silenceColumns,
  stateColumns,
  toChannel,
  toRoute,
  toSilence,
  toState,
} from './alert-rows.ts';

const states: Statement = {
  name: 'list_alert_states',
  text: `
    select ${stateColumns} from alert_states
    where gone_at is null and ($1::text[] is null or merchant_id = any ($1))
    order by first_seen_at desc, alert_key`,
};

const silences: Statement = {
  name: 'list_alert_silences',
  text: `
    select ${silenceColumns} from alert_silences
    where ends_at > $1 and ($2::text[] is null or merchant_id is null or merchant_id = any ($2))
    order by ends_at, silence_id`,
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
  { merchantIds }: OfMerchants,
): Promise<readonly AlertState[]> {
  return (await db.query<StateRow>(states, [merchantIds])).map(toState);
}

export async function listAlertChannels(db: Queryable): Promise<readonly AlertChannel[]> {
  return (await db.query<ChannelRow>(allChannels, [])).map(toChannel);
}

/** Channels that do not take what they are sent. */
export async function listFailingChannels(db: Queryable): Promise<readonly AlertChannel[]> {
  return (await db.query<ChannelRow>(failing, [])).map(toChannel);
}

export async function listAlertRoutes(db: Queryable): Promise<readonly AlertRoute[]> {
  return (await db.query<RouteRow>(allRoutes, [])).map(toRoute);
}

/** Silences that have not ended, the one that ends first at the top. */
export async function listAlertSilences(
  db: Queryable,
  { at, merchantIds }: OfMerchants & { readonly at: Date },
): Promise<readonly AlertSilence[]> {
  return (await db.query<SilenceRow>(silences, [at, merchantIds])).map(toSilence);
}
