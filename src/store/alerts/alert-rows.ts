import type { AlertKind, AlertSeverity } from '../../domain/alerts/alert-kinds.ts';
import { present } from '../../domain/present.ts';
import type {
  AlertChannel,
  AlertItem,
  AlertRoute,
  AlertSilence,
  AlertState,
  ChannelKind,
  Notice,
} from '../../recovery/alerts/alert-ports.ts';
import type { Statement } from '../database.ts';

/** Rows of the tables of alerts, what they are to the use cases, and how all of a table are read. */

export interface ChannelRow {
  readonly channel_id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly hint: string;
  readonly sealed: Buffer;
  readonly is_paused: boolean;
  readonly created_at: Date;
  readonly last_sent_at: Date | null;
  readonly failing_since: Date | null;
  readonly last_error: string | null;
}

export const channelColumns =
  'channel_id, name, kind, hint, sealed, is_paused, created_at, last_sent_at, failing_since, last_error';

export const allChannels: Statement = {
  name: 'list_alert_channels',
  text: `select ${channelColumns} from alert_channels order by created_at, channel_id`,
};

export function toChannel(row: ChannelRow): AlertChannel {
  return {
    channelId: row.channel_id,
    name: row.name,
    kind: row.kind,
    hint: row.hint,
    isPaused: row.is_paused,
    createdAt: row.created_at,
    ...present({
      lastSentAt: row.last_sent_at ?? undefined,
      failingSince: row.failing_since ?? undefined,
      lastError: row.last_error ?? undefined,
    }),
  };
}

export interface RouteRow {
  readonly route_id: string;
  readonly channel_id: string;
  readonly severities: readonly AlertSeverity[] | null;
  readonly kinds: readonly AlertKind[] | null;
  readonly merchants: readonly string[] | null;
  readonly repeat_ms: number;
  readonly tells_resolved: boolean;
  readonly created_at: Date;
}

export const routeColumns =
  'route_id, channel_id, severities, kinds, merchants, repeat_ms, tells_resolved, created_at';

export const allRoutes: Statement = {
  name: 'list_alert_routes',
  text: `select ${routeColumns} from alert_routes order by created_at, route_id`,
};

export function toRoute(row: RouteRow): AlertRoute {
  return {
    routeId: row.route_id,
    channelId: row.channel_id,
    repeatMs: row.repeat_ms,
    tellsResolved: row.tells_resolved,
    createdAt: row.created_at,
    ...present({
      severities: row.severities ?? undefined,
      kinds: row.kinds ?? undefined,
      merchants: row.merchants ?? undefined,
    }),
  };
}

export interface SilenceRow {
  readonly silence_id: string;
  readonly kind: AlertKind | null;
  readonly merchant_id: string | null;
  readonly reason: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly ends_at: Date;
}

export const silenceColumns =
  'silence_id, kind, merchant_id, reason, created_by, created_at, ends_at';

export function toSilence(row: SilenceRow): AlertSilence {
  return {
    silenceId: row.silence_id,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    ...present({ kind: row.kind ?? undefined, merchantId: row.merchant_id ?? undefined }),
  };
}

export interface StateRow {
  readonly alert_key: string;
  readonly kind: AlertKind;
  readonly merchant_id: string | null;
  readonly merchant_name: string | null;
  readonly count: number;
  readonly title: string;
  readonly detail: string;
  readonly at: Date;
  readonly first_seen_at: Date;
  readonly gone_at: Date | null;
}

export const stateColumns =
  'alert_key, kind, merchant_id, merchant_name, count, title, detail, at, first_seen_at, gone_at';

export function toState(row: StateRow): AlertState {
  return {
    key: row.alert_key,
    kind: row.kind,
    count: row.count,
    title: row.title,
    detail: row.detail,
    at: row.at,
    firstSeenAt: row.first_seen_at,
    ...present({
      merchantId: row.merchant_id ?? undefined,
      merchantName: row.merchant_name ?? undefined,
      goneAt: row.gone_at ?? undefined,
    }),
  };
}

export interface NoticeRow {
  readonly alert_key: string;
  readonly channel_id: string;
  readonly told_at: Date;
  readonly told_count: number;
}

export function toNotice(row: NoticeRow): Notice {
  return {
    key: row.alert_key,
    channelId: row.channel_id,
    toldAt: row.told_at,
    toldCount: row.told_count,
  };
}

/** As JSON keeps it. */
export type KeptItem = Omit<AlertItem, 'at'> & { readonly at: string };

export function itemsOf(kept: readonly KeptItem[]): readonly AlertItem[] {
  return kept.map((item) => ({ ...item, at: new Date(item.at) }));
}
