import { addMs } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import { limits } from '../../domain/limits.ts';
import type { Random } from '../../domain/random.ts';
import type {
  AlertDecision,
  AlertWatchStore,
  WatchedAlerts,
} from '../../recovery/alerts/alert-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import {
  allChannels,
  allRoutes,
  type ChannelRow,
  channelColumns,
  itemsOf,
  type KeptItem,
  type NoticeRow,
  type RouteRow,
  type SilenceRow,
  type StateRow,
  silenceColumns,
  stateColumns,
  toChannel,
  toNotice,
  toRoute,
  toSilence,
  toState,
} from './alert-rows.ts';
import type { ChannelSealer } from './channel-sealer.ts';

/**
 * SQL of whether nobody has looked since a time, or somebody did at one that lies so far ahead that the clock was set
 * back since. Both times come with the statement: on Citus none may be computed here.
 */
const isTimeSql = (since: string, ahead: string): string =>
  `(alert_watch.looked_at < ${since} or alert_watch.looked_at > ${ahead})`;

const askTime: Statement = {
  name: 'is_time_of_alert_watch',
  text: `select not exists (select from alert_watch where not ${isTimeSql('$1', '$2')}) as is_time`,
};

/** Whoever comes while another one looks waits for its end, and then finds that it was looked. */
const hold: Statement = {
  name: 'hold_alert_watch',
  text: `
    insert into alert_watch (looked_at) values ($1)
    on conflict (only_row) do update set looked_at = excluded.looked_at
    where ${isTimeSql('$2', '$3')}
    returning looked_at`,
};

const readStates: Statement = {
  name: 'read_alert_states',
  text: `select ${stateColumns} from alert_states order by alert_key`,
};

const readNotices: Statement = {
  name: 'read_alert_notices',
  text: 'select alert_key, channel_id, told_at, told_count from alert_notices',
};

/** None is removed until what the look decides of it is kept. */
const holdChannels: Statement = {
  name: 'hold_alert_channels',
  text: `
    select ${channelColumns} from alert_channels
    order by created_at, channel_id
    for key share`,
};

const readSilences: Statement = {
  name: 'read_alert_silences',
  text: `select ${silenceColumns} from alert_silences where ends_at > $1`,
};

const writeStates: Statement = {
  name: 'write_alert_states',
  text: `
    insert into alert_states (${stateColumns})
    select * from jsonb_to_recordset($1::jsonb) as s (
      alert_key text, kind text, merchant_id text, merchant_name text, count bigint, title text,
      detail text, at timestamptz, first_seen_at timestamptz, gone_at timestamptz)
    on conflict (alert_key) do update set
      merchant_name = excluded.merchant_name, count = excluded.count, title = excluded.title,
      detail = excluded.detail, at = excluded.at, gone_at = excluded.gone_at`,
};

const endStates: Statement = {
  name: 'end_alert_states',
  text: 'delete from alert_states where alert_key = any ($1::text[])',
};

const writeNotices: Statement = {
  name: 'write_alert_notices',
  text: `
    insert into alert_notices (alert_key, channel_id, told_at, told_count)
    select * from jsonb_to_recordset($1::jsonb) as n (
      alert_key text, channel_id text, told_at timestamptz, told_count bigint)
    on conflict (alert_key, channel_id) do update set
      told_at = excluded.told_at, told_count = excluded.told_count`,
};

const insertMessage: Statement = {
  name: 'insert_alert_message',
  text: `
    insert into alert_messages (message_id, channel_id, items, state, created_at, next_try_at)
    values ($1, $2, $3::jsonb, 'pending', $4, $4)`,
};

/** Old messages and silences go with a look: there are few of them. */
const forget: Statement = {
  name: 'forget_old_alert_messages',
  text: `
    with silences as (delete from alert_silences where ends_at < $1)
    delete from alert_messages where created_at < $1 and state <> 'pending'`,
};

const claim: Statement = {
  name: 'claim_alert_messages',
  text: `
    update alert_messages m set lease_until = $2, fence = m.fence + 1, tries = m.tries + 1
    from (
      select message_id from alert_messages d
      join alert_channels c on c.channel_id = d.channel_id and not c.is_paused
      where d.next_try_at <= $1 and (d.lease_until is null or d.lease_until <= $1)
      order by d.next_try_at
      limit $3
      for update of d skip locked
    ) due
    where m.message_id = due.message_id
    returning m.message_id, m.channel_id, m.items, m.created_at, m.tries, m.fence`,
};

/** How it went, unless somebody else has claimed it since; the channel's state goes with it. */
const record: Statement = {
  name: 'record_alert_send',
  text: `
    with recorded as (
      update alert_messages set
        state = case when $3::text is null then 'sent'
                     when $5::timestamptz is null then 'given_up' else 'pending' end,
        next_try_at = case when $3::text is null then null else $5::timestamptz end,
        ended_at = case when $3::text is null or $5::timestamptz is null then $4::timestamptz end,
        lease_until = null, last_error = $3
      where message_id = $1 and fence = $2 and state = 'pending'
      returning channel_id
    )
    update alert_channels c set
      last_sent_at = case when $3::text is null then $4::timestamptz else c.last_sent_at end,
      failing_since = case when $3::text is null then null else coalesce(c.failing_since, $4) end,
      last_error = $3
    from recorded where c.channel_id = recorded.channel_id`,
};

interface DueRow {
  readonly message_id: string;
  readonly channel_id: string;
  readonly items: readonly KeptItem[];
  readonly created_at: Date;
  readonly tries: number;
  readonly fence: number;
}

const maxError = 500;

/** As far ahead as the last look may lie back. */
const aheadOf = ({ at, since }: { readonly at: Date; readonly since: Date }): Date =>
  addMs(at, at.getTime() - since.getTime());

export function createAlertWatchStore(deps: {
  readonly db: Database;
  readonly sealer: Pick<ChannelSealer, 'open'>;
  readonly random: Random;
}): AlertWatchStore {
  const { db, sealer, random } = deps;
  return {
    async isTime({ at, since }) {
      const [row] = await db.query<{ is_time: boolean }>(askTime, [since, aheadOf({ at, since })]);
      return row?.is_time ?? true;
    },
    look: ({ at, since }, decide) =>
      db.transaction(async (tx) => {
        const [held] = await tx.query<{ looked_at: Date }>(hold, [
          at,
          since,
          aheadOf({ at, since }),
        ]);
        if (held === undefined) return false;
        const decision = await decide(await readKnown(tx, at));
        await keep(tx, { decision, at, random });
        await tx.query(forget, [addMs(at, -limits.historyMs)]);
        return true;
      }),
    async readRouting(at) {
      const [channels, routes, silences] = await Promise.all([
        db.query<ChannelRow>(allChannels, []),
        db.query<RouteRow>(allRoutes, []),
        db.query<SilenceRow>(readSilences, [at]),
      ]);
      const opened = channels.map(async (row) => {
        const channel = toChannel(row);
        return { ...channel, target: await sealer.open(channel.channelId, row.sealed) };
      });
      return {
        channels: await Promise.all(opened),
        routes: routes.map(toRoute),
        silences: silences.map(toSilence),
      };
    },
    async claimDue({ at, leaseUntil, limit }) {
      const rows = await db.query<DueRow>(claim, [at, leaseUntil, limit]);
      return rows.map((row) => ({
        messageId: row.message_id,
        channelId: row.channel_id,
        items: itemsOf(row.items),
        createdAt: row.created_at,
        tries: row.tries,
        fence: row.fence,
      }));
    },
    async recordSend({ message, outcome, at, nextTryAt }) {
      const error = outcome.kind === 'failed' ? outcome.detail.slice(0, maxError) : null;
      await db.query(record, [message.messageId, message.fence, error, at, nextTryAt]);
    },
  };
}

async function readKnown(tx: Queryable, at: Date): Promise<WatchedAlerts> {
  const states = await tx.query<StateRow>(readStates, []);
  const notices = await tx.query<NoticeRow>(readNotices, []);
  const routes = await tx.query<RouteRow>(allRoutes, []);
  const silences = await tx.query<SilenceRow>(readSilences, [at]);
  const channels = await tx.query<ChannelRow>(holdChannels, []);
  return {
    states: states.map(toState),
    notices: notices.map(toNotice),
    routes: routes.map(toRoute),
    silences: silences.map(toSilence),
    channels: channels.map(toChannel),
  };
}

async function keep(
  tx: Queryable,
  input: { readonly decision: AlertDecision; readonly at: Date; readonly random: Random },
): Promise<void> {
  const { decision, at, random } = input;
  const { states, ended, notices, messages } = decision;
  if (states.length > 0) {
    const rows = states.map((state) => ({
      alert_key: state.key,
      kind: state.kind,
      merchant_id: state.merchantId,
      merchant_name: state.merchantName,
      count: state.count,
      title: state.title,
      detail: state.detail,
      at: state.at,
      first_seen_at: state.firstSeenAt,
      gone_at: state.goneAt,
    }));
    await tx.query(writeStates, [JSON.stringify(rows)]);
  }
  if (ended.length > 0) await tx.query(endStates, [ended]);
  if (notices.length > 0) {
    const rows = notices.map((notice) => ({
      alert_key: notice.key,
      channel_id: notice.channelId,
      told_at: notice.toldAt,
      told_count: notice.toldCount,
    }));
    await tx.query(writeNotices, [JSON.stringify(rows)]);
  }
  for (const { channelId, items } of messages) {
    const values = [newId(random, 'alm'), channelId, JSON.stringify(items), at];
    await tx.query(insertMessage, values);
  }
}
