import { deliveryStates } from '../../domain/states.ts';
import type { ReplayScope } from '../../recovery/replays/replay-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/** Where the deliveries of one kind of endpoint stand, and how their endpoint `d` is told. */
export interface ReplaySource {
  readonly table: string;
  readonly suffix: string;
  readonly key: string;
  own(parameter: string): string;
}

export const sources: Readonly<Record<'primary' | 'further', ReplaySource>> = {
  primary: { table: 'deliveries', suffix: '', key: '', own: () => '' },
  further: {
    table: 'endpoint_deliveries',
    suffix: '_to_endpoint',
    key: 'd.endpoint_id, ',
    own: (parameter) => `and d.endpoint_id = ${parameter}`,
  },
};

export function sourceOf({ endpointId }: Pick<ReplayScope, 'endpointId'>): keyof typeof sources {
  return endpointId === undefined ? 'primary' : 'further';
}

/** The states that a scope means. */
export function statesOf({ status }: Pick<ReplayScope, 'status'>): readonly string[] {
  return status === 'any' ? deliveryStates : [status];
}

/** Whether a delivery `d` is of the type `$n`, or that is null. */
export function isOfType(n: string): string {
  return `(${n}::text is null
           or exists (select from events e
                      where e.merchant_id = d.merchant_id and e.event_id = d.event_id and e.type = ${n}))`;
}

/**
 * Deliveries that this replay has not taken yet begin a new redelivery window; a send that is under
 * way just then no longer counts. Each state gives its oldest from its own part of the index. Those
 * that somebody holds are passed over. `next_at`: where a state has more than the batch, the next one
 * begins at the earliest of their ends.
 */
const queueIn = ({ table, suffix, own, key }: ReplaySource): Statement => ({
  name: `queue_replayed_deliveries${suffix}`,
  text: `
    with picked as (
      select p.* from unnest($3::text[]) as s (state)
      cross join lateral (
        select d.merchant_id, d.event_id, ${key}d.state, d.created_at from ${table} d
        where d.merchant_id = $1 and d.state = s.state ${own('$9')}
          and d.created_at >= $4 and d.created_at < $5
          and d.replay_id is distinct from $2 and ${isOfType('$6')}
        order by d.created_at
        limit $8
        for update of d skip locked
      ) p
    ),
    queued as (
      update ${table} d
      set state = 'pending', window_started_at = null, next_attempt_at = $7, delivered_at = null,
          lease_until = null, fence = d.fence + 1, failures = 0, set_aside_at = null,
          set_aside_reason = null, replay_id = $2
      from picked p
      where d.merchant_id = p.merchant_id and d.event_id = p.event_id ${own('p.endpoint_id')}
    )
    select (select count(*)::int from picked) as queued,
           (select min(m.last) from (select max(created_at) as last from picked
                                     group by state having count(*) = $8) m) as next_at`,
});

const queues = { primary: queueIn(sources.primary), further: queueIn(sources.further) };

export interface QueuedBatch {
  readonly queued: number;
  /** Absent: nothing was left behind this batch. */
  readonly nextAt?: Date;
}

/** Queues up to `limit` deliveries of each state that are created at `from` or later. */
export async function queueBatch(
  tx: Queryable,
  input: {
    readonly replayId: string;
    readonly scope: ReplayScope;
    readonly at: Date;
    readonly limit: number;
  },
): Promise<QueuedBatch> {
  const { replayId, scope, at, limit } = input;
  const { merchantId, from, until, type, endpointId } = scope;
  const statement = queues[sourceOf(scope)];
  const [row] = await tx.query<{ queued: number; next_at: Date | null }>(statement, [
    merchantId,
    replayId,
    statesOf(scope),
    from,
    until,
    type ?? null,
    at,
    limit,
    ...(endpointId === undefined ? [] : [endpointId]),
  ]);
  const { queued = 0, next_at: nextAt = null } = row ?? {};
  return nextAt === null ? { queued } : { queued, nextAt };
}
