import { invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { EventType } from '../../domain/states.ts';
import type { Replay, ReplayScope, ReplayStore } from '../../recovery/replays/replay-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import {
  isOfType,
  queueBatch,
  type ReplaySource,
  sourceOf,
  sources,
  statesOf,
} from './queue-batch.ts';

export function createReplayStore(db: Database): ReplayStore {
  return {
    count: (scope) => countScope(db, scope),
    begin: (input) => db.transaction((tx) => begin(tx, input)),
    async find({ merchantId, replayId }) {
      const [row] = await db.query<ReplayRow>(find, [merchantId, replayId]);
      return row && toReplay(row);
    },
    async list({ merchantId, cursor, limit }) {
      const rows = await db.query<ReplayRow>(list, [merchantId, ...placeOf(cursor, 1), limit + 1]);
      return pageOf(rows, limit, {
        item: toReplay,
        keys: (row) => [row.requested_at.toISOString(), row.replay_id],
      });
    },
    step: (input) => db.transaction((tx) => step(tx, input)),
  };
}

const countIn = ({ table, suffix, own }: ReplaySource): Statement => ({
  name: `count_deliveries_to_replay${suffix}`,
  text: `
    select count(*)::int as count from ${table} d
    where d.merchant_id = $1 ${own('$6')} and d.state = any ($2::text[]) and d.created_at >= $3
      and d.created_at < $4 and ${isOfType('$5')}`,
});

const counts = { primary: countIn(sources.primary), further: countIn(sources.further) };

const insert: Statement = {
  name: 'insert_replay',
  text: `
    insert into replays (merchant_id, replay_id, state, status, type, from_at, until_at, matched,
      requested_at, ended_at, endpoint_id)
    values ($1, $2, case when $7::int = 0 then 'done' else 'running' end, $3, $4, $5, $6, $7, $8,
      case when $7::int = 0 then $8::timestamptz end, $9)`,
};

/** The replays `r` with what became of their deliveries, those in the archive too. */
const shown = (from: string): string => `
  select r.merchant_id, r.replay_id, r.state, r.status, r.type, r.from_at, r.until_at, r.endpoint_id,
         r.matched,
         r.queued, r.requested_at, r.ended_at, c.waiting, c.failing,
         c.delivered + r.archived_delivered as delivered, c.exhausted + r.archived_exhausted as exhausted
  from ${from} r
  cross join lateral (
    select count(*) filter (where d.state = 'pending' and d.set_aside_at is null
                              and d.window_started_at is null)::int as waiting,
           count(*) filter (where d.state = 'delivered')::int as delivered,
           count(*) filter (where d.state = 'pending' and d.set_aside_at is null
                              and d.window_started_at is not null)::int as failing,
           count(*) filter (where d.state = 'exhausted' or d.set_aside_at is not null)::int
             as exhausted
    from (select state, set_aside_at, window_started_at from deliveries
          where merchant_id = r.merchant_id and replay_id = r.replay_id
          union all
          select state, set_aside_at, window_started_at from endpoint_deliveries
          where merchant_id = r.merchant_id and replay_id = r.replay_id) d
  ) c`;

const find: Statement = {
  name: 'find_replay',
  text: `${shown('replays')} where r.merchant_id = $1 and r.replay_id = $2`,
};

const list: Statement = {
  name: 'list_replays',
  text: `${shown(`(
      select * from replays
      where merchant_id = $1
        and (requested_at, replay_id) < (coalesce($2, 'infinity'::timestamptz), coalesce($3, ''))
      order by requested_at desc, replay_id desc
      limit $4)`)}
    order by r.requested_at desc, r.replay_id desc`,
};

const hold: Statement = {
  name: 'hold_running_replay',
  text: `
    select replay_id, status, type, endpoint_id, coalesce(cursor_at, from_at) as from_at, until_at,
           cursor_at is not null as is_further
    from replays where merchant_id = $1 and state = 'running'
    order by requested_at, replay_id
    limit 1
    for update`,
};

const note: Statement = {
  name: 'note_replay_batch',
  text: `
    update replays
    set queued = queued + $3, cursor_at = $4,
        state = case when $5::timestamptz is null then state else 'done' end, ended_at = $5
    where merchant_id = $1 and replay_id = $2`,
};

interface ScopeRow {
  readonly status: ReplayScope['status'];
  readonly type: EventType | null;
  readonly from_at: Date;
  readonly until_at: Date;
  readonly endpoint_id: string | null;
}

interface ReplayRow extends ScopeRow {
  readonly merchant_id: string;
  readonly replay_id: string;
  readonly state: Replay['state'];
  readonly matched: number;
  readonly queued: number;
  readonly waiting: number;
  readonly delivered: number;
  readonly failing: number;
  readonly exhausted: number;
  readonly requested_at: Date;
  readonly ended_at: Date | null;
}

async function countScope(db: Queryable, scope: ReplayScope): Promise<number> {
  const { merchantId, from, until, type, endpointId } = scope;
  const values = [merchantId, statesOf(scope), from, until, type ?? null];
  const own = endpointId === undefined ? [] : [endpointId];
  const statement = counts[sourceOf(scope)];
  const [row] = await db.query<{ count: number }>(statement, [...values, ...own]);
  return row?.count ?? 0;
}

async function begin(
  tx: Queryable,
  { replayId, scope, at, audit }: Parameters<ReplayStore['begin']>[0],
): Promise<Replay> {
  const { merchantId, status, type, from, until, endpointId } = scope;
  const matched = await countScope(tx, scope);
  await tx.query(insert, [
    ...[merchantId, replayId, status, type ?? null, from, until, matched, at],
    endpointId ?? null,
  ]);
  const detail = { ...audit.detail, count: matched };
  await appendAudit(tx, merchantId, { ...audit, detail });
  const [row] = await tx.query<ReplayRow>(find, [merchantId, replayId]);
  invariant(row !== undefined, 'a replay that was just noted is there');
  return toReplay(row);
}

/**
 * One batch of the merchant's oldest replay that runs. After the last one it is looked through once
 * more from its beginning, for what somebody held at the first look.
 */
async function step(
  tx: Queryable,
  { merchantId, at, limit }: Parameters<ReplayStore['step']>[0],
): Promise<{ readonly queued: number; readonly isOver: boolean }> {
  const [row] = await tx.query<ScopeRow & { replay_id: string; is_further: boolean }>(hold, [
    merchantId,
  ]);
  if (row === undefined) return { queued: 0, isOver: true };
  const { replay_id: replayId, is_further: isFurther } = row;
  const scope = { merchantId, ...scopeOf(row) };
  const { queued, nextAt } = await queueBatch(tx, { replayId, scope, at, limit });
  const isDone = nextAt === undefined && !isFurther;
  await tx.query(note, [merchantId, replayId, queued, nextAt ?? null, isDone ? at : null]);
  return { queued, isOver: false };
}

function scopeOf(row: ScopeRow) {
  const { status, type, from_at: from, until_at: until, endpoint_id: endpointId } = row;
  const more = present({ type: type ?? undefined, endpointId: endpointId ?? undefined });
  return { status, from, until, ...more };
}

function toReplay(row: ReplayRow): Replay {
  const { matched, queued, waiting, delivered, failing, exhausted } = row;
  return {
    merchantId: row.merchant_id,
    replayId: row.replay_id,
    state: row.state,
    ...scopeOf(row),
    matched,
    queued,
    waiting,
    delivered,
    failing,
    exhausted,
    superseded: queued - waiting - delivered - failing - exhausted,
    requestedAt: row.requested_at,
    ...present({ endedAt: row.ended_at ?? undefined }),
  };
}
