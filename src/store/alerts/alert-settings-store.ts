import type {
  AlertRoute,
  AlertSettingsStore,
  AlertSilence,
  OpenChannel,
  SentMessage,
} from '../../recovery/alerts/alert-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { type ChannelRow, channelColumns, toChannel } from './alert-rows.ts';
import type { ChannelSealer } from './channel-sealer.ts';

const find: Statement = {
  name: 'find_alert_channel',
  text: `select ${channelColumns} from alert_channels where channel_id = $1`,
};

/** Two changes of different fields come one after the other, and both hold. */
const hold: Statement = {
  name: 'hold_alert_channel',
  text: `select ${channelColumns} from alert_channels where channel_id = $1 for no key update`,
};

const insert: Statement = {
  name: 'insert_alert_channel',
  text: `
    insert into alert_channels (channel_id, name, kind, hint, sealed, is_paused, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};

/** Another address begins without the failures of the last one. */
const change: Statement = {
  name: 'change_alert_channel',
  text: `
    update alert_channels set
      name = $2, kind = $3, hint = $4, sealed = $5, is_paused = $6, failing_since = $7, last_error = $8
    where channel_id = $1`,
};

const remove: Statement = {
  name: 'remove_alert_channel',
  text: 'delete from alert_channels where channel_id = $1 returning channel_id',
};

/** The channel, unless it is removed beside us. */
const liveChannel = `
    with live as (
      select * from (
        select channel_id from alert_channels where channel_id = $2 for key share
      ) locked offset 0
    )`;

const insertRoute: Statement = {
  name: 'insert_alert_route',
  text: `${liveChannel}
    insert into alert_routes (route_id, channel_id, severities, kinds, merchants, repeat_ms,
      tells_resolved, created_at)
    select $1::text, channel_id, $3::text[], $4::text[], $5::text[], $6::bigint, $7::boolean,
      $8::timestamptz
    from live
    returning route_id`,
};

const removeRoute: Statement = {
  name: 'remove_alert_route',
  text: 'delete from alert_routes where route_id = $1 returning route_id',
};

const insertSilence: Statement = {
  name: 'insert_alert_silence',
  text: `
    insert into alert_silences (silence_id, kind, merchant_id, reason, created_by, created_at, ends_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};

const endSilence: Statement = {
  name: 'end_alert_silence',
  text: `
    update alert_silences set ends_at = $2 where silence_id = $1 and ends_at > $2
    returning silence_id`,
};

const insertTest: Statement = {
  name: 'insert_alert_test',
  text: `${liveChannel}
    insert into alert_messages (message_id, channel_id, items, state, tries, created_at, ended_at,
      last_error)
    select $1::text, channel_id, $3::jsonb, $4::text, 1, $5::timestamptz, $6::timestamptz, $7::text
    from live`,
};

/** A test tells of the channel what any message does. */
const noteTest: Statement = {
  name: 'note_alert_test',
  text: `
    update alert_channels set
      last_sent_at = case when $3::text is null then $2::timestamptz else last_sent_at end,
      failing_since = case when $3::text is null then null else coalesce(failing_since, $2) end,
      last_error = $3
    where channel_id = $1`,
};

/** Alerts are of the whole service, and so are their lines of the audit log. */
const everybody = '*';

export function createAlertSettingsStore(deps: {
  readonly db: Database;
  readonly sealer: ChannelSealer;
}): AlertSettingsStore {
  const { db, sealer } = deps;

  async function audited(
    work: (tx: Queryable) => Promise<boolean>,
    audit: Parameters<typeof appendAudit>[2],
  ): Promise<boolean> {
    return db.transaction(async (tx) => {
      const isDone = await work(tx);
      if (isDone) await appendAudit(tx, everybody, audit);
      return isDone;
    });
  }

  const always = (work: (tx: Queryable) => Promise<unknown>) => async (tx: Queryable) => {
    await work(tx);
    return true;
  };

  return {
    async findChannel(channelId) {
      const [row] = await db.query<ChannelRow>(find, [channelId]);
      return row && open(sealer, row);
    },
    async insertChannel(channel, audit) {
      const values = [...(await channelValues(sealer, channel)), channel.createdAt];
      await audited(
        always((tx) => tx.query(insert, values)),
        audit,
      );
    },
    changeChannel: (channelId, decide) =>
      db.transaction(async (tx) => {
        const [row] = await tx.query<ChannelRow>(hold, [channelId]);
        if (row === undefined) return undefined;
        const { channel, audit } = decide(await open(sealer, row));
        const health = [channel.failingSince, channel.lastError];
        await tx.query(change, [...(await channelValues(sealer, channel)), ...health]);
        await appendAudit(tx, everybody, audit);
        return channel;
      }),
    removeChannel: (channelId, audit) =>
      audited(async (tx) => (await tx.query(remove, [channelId])).length > 0, audit),
    insertRoute: (route, audit) =>
      audited(async (tx) => (await tx.query(insertRoute, routeValues(route))).length > 0, audit),
    removeRoute: (routeId, audit) =>
      audited(async (tx) => (await tx.query(removeRoute, [routeId])).length > 0, audit),
    async insertSilence(silence, audit) {
      await audited(
        always((tx) => tx.query(insertSilence, silenceValues(silence))),
        audit,
      );
    },
    endSilence: (silenceId, at, audit) =>
      audited(async (tx) => (await tx.query(endSilence, [silenceId, at])).length > 0, audit),
    async insertTest(message, audit) {
      await audited(
        always(async (tx) => {
          await tx.query(insertTest, testValues(message));
          await tx.query(noteTest, [message.channelId, message.endedAt, message.lastError]);
        }),
        audit,
      );
    },
  };
}

async function open(sealer: ChannelSealer, row: ChannelRow): Promise<OpenChannel> {
  const channel = toChannel(row);
  return { ...channel, target: await sealer.open(channel.channelId, row.sealed) };
}

async function channelValues(
  sealer: ChannelSealer,
  { channelId, name, kind, hint, target, isPaused }: OpenChannel,
): Promise<readonly unknown[]> {
  return [channelId, name, kind, hint, await sealer.seal(channelId, target), isPaused];
}

function routeValues(route: AlertRoute): readonly unknown[] {
  const { routeId, channelId, severities, kinds, merchants, repeatMs, tellsResolved } = route;
  const filters = [severities, kinds, merchants];
  return [routeId, channelId, ...filters, repeatMs, tellsResolved, route.createdAt];
}

function silenceValues(silence: AlertSilence): readonly unknown[] {
  const { silenceId, kind, merchantId, reason, createdBy, createdAt, endsAt } = silence;
  return [silenceId, kind, merchantId, reason, createdBy, createdAt, endsAt];
}

function testValues(message: SentMessage): readonly unknown[] {
  const { messageId, channelId, items, state, createdAt, endedAt, lastError } = message;
  return [messageId, channelId, JSON.stringify(items), state, createdAt, endedAt, lastError];
}
