import { primaryEndpointId } from '../../domain/webhooks/webhook-endpoint.ts';
import type { FailingEndpoint } from '../../recovery/endpoints/pause-failing.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/**
 * Of endpoints `e` that may be paused: those of which the oldest delivery that is sent again and again was
 * sent first so many days ago, since they were resumed last, and that have taken nothing after that.
 *
 * What is sent again now was sent first seven days ago at most. Where an endpoint allows as many or more, one that was
 * given up meanwhile tells of the days before: the latest that began so many days ago and was refused within them.
 *
 * What was taken may be of any age, kept for a paused endpoint or replayed. The newest are looked at first: an endpoint
 * that works has one there.
 */
const failingOf = (of: { readonly from: string; readonly table: string; readonly own: string }) => {
  const ofEndpoint = `d.merchant_id = e.merchant_id ${of.own}`;
  const allowed = `$1::timestamptz - e.days * interval '1 day'`;
  const sinceResumed = `d.window_started_at > coalesce(e.resumed_at, '-infinity')`;
  return `
  select e.merchant_id, e.endpoint_id, e.days, f.since
  from (${of.from}) e
  cross join lateral (
    select min(d.window_started_at) as since
    from ${of.table} d
    where ${ofEndpoint} and d.state = 'pending' and d.tries > 0 and ${sinceResumed}
  ) p
  cross join lateral (
    select case when p.since <= ${allowed} then p.since else (
      select max(d.window_started_at)
      from ${of.table} d
      where ${ofEndpoint} and d.state = 'exhausted' and ${sinceResumed}
        and d.created_at >= ${allowed} - interval '8 days'
        and d.window_started_at <= ${allowed} and d.last_sent_at > ${allowed}
    ) end as since
  ) f
  where p.since is not null and f.since is not null ${unlessMoved('e')}
    and not exists (
      select from ${of.table} d
      where ${ofEndpoint} and d.state = 'delivered' and d.delivered_at >= f.since
      order by d.created_at desc limit 1)`;
};

const failing: Statement = {
  name: 'find_failing_endpoints',
  text: `
    ${failingOf({
      from: `select merchant_id, '${primaryEndpointId}' as endpoint_id, webhook_pause_after_days as days,
               webhook_resumed_at as resumed_at
             from merchants where webhook_pause_after_days is not null and webhook_paused_at is null`,
      table: 'deliveries',
      own: '',
    })}
    union all
    ${failingOf({
      from: `select merchant_id, endpoint_id, pause_after_days as days, resumed_at
             from endpoints
             where pause_after_days is not null and paused_at is null and removed_at is null`,
      table: 'endpoint_deliveries',
      own: 'and d.endpoint_id = e.endpoint_id',
    })}`,
};

interface FailingRow {
  readonly merchant_id: string;
  readonly endpoint_id: string;
  readonly days: number;
  readonly since: Date;
}

/** Endpoints that took nothing for as many days as their settings allow. */
export async function findFailing(db: Queryable, now: Date): Promise<readonly FailingEndpoint[]> {
  const rows = await db.query<FailingRow>(failing, [now]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    endpointId: row.endpoint_id,
    pauseAfterDays: row.days,
    failingSince: row.since,
  }));
}
