import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import { addMs, dayMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { primaryEndpointId } from '../../domain/webhooks/webhook-endpoint.ts';
import type { EndpointHealth } from '../../recovery/reports/webhooks.ts';
import type { Queryable, Statement } from '../database.ts';

/** Rows of one merchant that are looked at: an endpoint that is down for days has many. */
const maxRows = 1_000;
const maxLatest = 50;
const maxEndpoints = 200;
/** Twice the time in which an event is given up. */
const exhaustedWithinMs = 14 * dayMs;

/** Of endpoints `m`; `own`: what names one beside its merchant, of a delivery's or a send's alias. */
const healthOf = (of: {
  readonly from: string;
  readonly table: string;
  readonly sends: string;
  own(alias: string): string;
}): string => `
    select m.merchant_id, m.name, m.endpoint_id, m.url, m.paused_at, w.waiting, w.failing_since,
           w.last_error, x.exhausted, d.last_delivered_at, d.median, d.p95
    from (${of.from}) m
    cross join lateral (
      select count(*)::int as waiting, min(window_started_at) as failing_since,
             (array_agg(last_error order by created_at desc))[1] as last_error
      from (
        select window_started_at, last_error, created_at from ${of.table} o
        where o.merchant_id = m.merchant_id ${of.own('o')} and o.state = 'pending' and o.tries > 0
          -- Not what was taken, and is asked for again.
          and o.last_status is distinct from 200
        order by created_at limit ${maxRows}
      ) oldest
    ) w
    cross join lateral (
      select count(*)::int as exhausted from (
        select from ${of.table} o
        where o.merchant_id = m.merchant_id ${of.own('o')} and o.state = 'exhausted'
          and o.created_at >= $2
        limit ${maxRows}
      ) given_up
    ) x
    cross join lateral (
      select max(l.delivered_at) as last_delivered_at,
             percentile_disc(0.5) within group (order by l.duration_ms) as median,
             percentile_disc(0.95) within group (order by l.duration_ms) as p95
      from (
        -- The send that was taken is looked up for each: as a join it would read every send there is
        -- where the planner takes them for few.
        select delivered_at,
               (select t.duration_ms from ${of.sends} t
                where t.merchant_id = o.merchant_id ${of.own('t')} and t.event_id = o.event_id
                  and t.number = o.tries
                limit 1) as duration_ms
        from ${of.table} o
        where o.merchant_id = m.merchant_id ${of.own('o')} and o.state = 'delivered'
        order by created_at desc limit ${maxLatest}
      ) l
    ) d
    where $1::text[] is null or m.merchant_id = any($1)`;

const health: Statement = {
  name: 'endpoint_health',
  text: `
    select * from (
      ${healthOf({
        from: `select merchant_id, name, '${primaryEndpointId}' as endpoint_id, webhook_url as url,
                      webhook_paused_at as paused_at
               from merchants`,
        table: 'deliveries',
        sends: 'delivery_sends',
        own: () => '',
      })}
      union all
      ${healthOf({
        from: `select merchant_id, n.name, e.endpoint_id, e.url, e.paused_at
               from endpoints e join merchants n using (merchant_id) where e.removed_at is null`,
        table: 'endpoint_deliveries',
        sends: 'endpoint_delivery_sends',
        own: (alias) => `and ${alias}.endpoint_id = m.endpoint_id`,
      })}
    ) h
    order by paused_at is not null desc, waiting > 0 desc, exhausted > 0 desc, name, merchant_id,
             endpoint_id <> '${primaryEndpointId}', endpoint_id
    limit ${maxEndpoints}`,
};

interface HealthRow {
  readonly merchant_id: string;
  readonly name: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly paused_at: Date | null;
  readonly waiting: number;
  readonly failing_since: Date | null;
  readonly last_error: string | null;
  readonly exhausted: number;
  readonly last_delivered_at: Date | null;
  readonly median: number | null;
  readonly p95: number | null;
}

/** Those that fail first, then by name. */
export async function readEndpointHealth(
  db: Queryable,
  input: OfMerchants & { readonly now: Date },
): Promise<readonly EndpointHealth[]> {
  const since = addMs(input.now, -exhaustedWithinMs);
  const rows = await db.query<HealthRow>(health, [input.merchantIds, since]);
  return rows.map(toHealth);
}

function toHealth(row: HealthRow): EndpointHealth {
  const isIdle = row.waiting === 0 && row.last_delivered_at === null;
  return {
    merchantId: row.merchant_id,
    merchantName: row.name,
    endpointId: row.endpoint_id,
    webhookUrl: row.url,
    state:
      row.paused_at !== null ? 'paused' : row.waiting > 0 ? 'failing' : isIdle ? 'idle' : 'healthy',
    waiting: row.waiting,
    exhausted: row.exhausted,
    ...present({
      pausedAt: row.paused_at ?? undefined,
      failingSince: row.failing_since ?? undefined,
      lastError: row.last_error ?? undefined,
      lastDeliveredAt: row.last_delivered_at ?? undefined,
    }),
    ...(row.median !== null &&
      row.p95 !== null && { durationMs: { median: row.median, p95: row.p95 } }),
  };
}
