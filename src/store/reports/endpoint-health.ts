import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import { addMs, dayMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { EndpointHealth } from '../../recovery/reports/webhooks.ts';
import type { Queryable, Statement } from '../database.ts';

/** Rows of one merchant that are looked at: an endpoint that is down for days has many. */
const maxRows = 1_000;
const maxLatest = 50;
const maxMerchants = 200;
/** Twice the time in which an event is given up. */
const exhaustedWithinMs = 14 * dayMs;

const health: Statement = {
  name: 'endpoint_health',
  text: `
    select m.merchant_id, m.name, m.webhook_url, w.waiting, w.failing_since, w.last_error,
           x.exhausted, d.last_delivered_at, d.median, d.p95
    from merchants m
    cross join lateral (
      select count(*)::int as waiting, min(window_started_at) as failing_since,
             (array_agg(last_error order by created_at desc))[1] as last_error
      from (
        select window_started_at, last_error, created_at from deliveries
        where merchant_id = m.merchant_id and state = 'pending' and tries > 0
        order by created_at limit ${maxRows}
      ) oldest
    ) w
    cross join lateral (
      select count(*)::int as exhausted from (
        select from deliveries
        where merchant_id = m.merchant_id and state = 'exhausted' and created_at >= $2
        limit ${maxRows}
      ) given_up
    ) x
    cross join lateral (
      select max(l.delivered_at) as last_delivered_at,
             percentile_disc(0.5) within group (order by t.duration_ms) as median,
             percentile_disc(0.95) within group (order by t.duration_ms) as p95
      from (
        select event_id, tries, delivered_at from deliveries
        where merchant_id = m.merchant_id and state = 'delivered'
        order by created_at desc limit ${maxLatest}
      ) l
      left join delivery_sends t
        on t.merchant_id = m.merchant_id and t.event_id = l.event_id and t.number = l.tries
    ) d
    where $1::text[] is null or m.merchant_id = any($1)
    order by w.waiting > 0 desc, x.exhausted > 0 desc, m.name, m.merchant_id
    limit ${maxMerchants}`,
};

interface HealthRow {
  readonly merchant_id: string;
  readonly name: string;
  readonly webhook_url: string;
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
    webhookUrl: row.webhook_url,
    state: row.waiting > 0 ? 'failing' : isIdle ? 'idle' : 'healthy',
    waiting: row.waiting,
    exhausted: row.exhausted,
    ...present({
      failingSince: row.failing_since ?? undefined,
      lastError: row.last_error ?? undefined,
      lastDeliveredAt: row.last_delivered_at ?? undefined,
    }),
    ...(row.median !== null &&
      row.p95 !== null && { durationMs: { median: row.median, p95: row.p95 } }),
  };
}
