import { primaryEndpointId } from '../../domain/webhooks/webhook-endpoint.ts';
import type { FailingEndpoint } from '../../recovery/endpoints/pause-failing.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/**
 * Of endpoints `e` that may be paused: those of which the oldest delivery that is sent again and again was
 * sent first so many days ago, since they were resumed last, and that have taken nothing after that. What
 * was taken later was created within the eight days that an event is sent for, or afterwards.
 */
const failingOf = (of: { readonly from: string; readonly table: string; readonly own: string }) => `
  select e.merchant_id, e.endpoint_id, e.days, f.since
  from (${of.from}) e
  cross join lateral (
    select min(d.window_started_at) as since
    from ${of.table} d
    where d.merchant_id = e.merchant_id ${of.own} and d.state = 'pending' and d.tries > 0
      and d.window_started_at > coalesce(e.resumed_at, '-infinity')
  ) f
  where f.since <= $1::timestamptz - e.days * interval '1 day' ${unlessMoved('e')}
    and not exists (
      select from ${of.table} d
      where d.merchant_id = e.merchant_id ${of.own} and d.state = 'delivered'
        and d.created_at >= f.since - interval '8 days' and d.delivered_at >= f.since
      offset 0)`;

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
