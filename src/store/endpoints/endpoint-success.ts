import { addMs, dayMs, hourMs } from '../../domain/clock.ts';
import { primaryEndpointId } from '../../domain/webhooks/webhook-endpoint.ts';
import type { EndpointSuccess } from '../../recovery/reports/webhooks.ts';
import type { Queryable, Statement } from '../database.ts';

/** Answers that a step's times are taken of: the middle of so many is near that of all. */
const sampled = 200;

/**
 * First sends by the step in which their event was recorded. The index of deliveries by state holds all
 * that is counted, so a million of them are counted without being read; only what was sent more than
 * once is looked at, since its first send stands in the log: `$5` is an endpoint that is no first one.
 */
const successOf = (of: {
  readonly name: string;
  readonly table: string;
  readonly log: string;
  own(alias: string): string;
}): Statement => ({
  name: of.name,
  text: `
    with steps as (
      select at, at + $4::int * interval '1 millisecond' as next_at
      from generate_series($2::timestamptz, $3::timestamptz - interval '1 millisecond',
                           $4::int * interval '1 millisecond') as at
    ),
    counted as (
      select date_bin($4::int * interval '1 millisecond', d.created_at, $2) as at, d.state,
             count(*)::int as count
      from ${of.table} d
      where d.merchant_id = $1 ${of.own('d')} and d.state in ('delivered', 'exhausted')
        and d.created_at >= $2 and d.created_at < $3
      group by 1, 2
    ),
    open as (
      select date_bin($4::int * interval '1 millisecond', d.created_at, $2) as at,
             count(*)::int as count,
             -- Taken, and asked for again: its one send stands on it still.
             count(*) filter (where d.tries = 1 and d.last_status = 200)::int as accepted
      from ${of.table} d
      where d.merchant_id = $1 ${of.own('d')} and d.state = 'pending' and d.tries > 0
        and d.created_at >= $2 and d.created_at < $3
      group by 1
    ),
    again as (
      select date_bin($4::int * interval '1 millisecond', d.created_at, $2) as at,
             count(*) filter (where d.state = 'delivered')::int as delivered,
             count(*) filter (where t.status = 200)::int as accepted
      from ${of.log} t
      join ${of.table} d on d.merchant_id = t.merchant_id and d.event_id = t.event_id
        ${of.own('t')} ${of.own('d')}
      where t.merchant_id = $1 and t.number = 1 and t.sent_at >= $2
        and d.created_at >= $2 and d.created_at < $3
      group by 1
    )
    select s.at,
           (coalesce(c.delivered, 0) + coalesce(c.exhausted, 0) + coalesce(o.count, 0))::int as sent,
           (coalesce(c.delivered, 0) - coalesce(a.delivered, 0) + coalesce(a.accepted, 0)
              + coalesce(o.accepted, 0))::int as accepted,
           q.median, q.p95
    from steps s
    left join (
      select at, sum(count) filter (where state = 'delivered') as delivered,
             sum(count) filter (where state = 'exhausted') as exhausted
      from counted group by 1
    ) c using (at)
    left join open o using (at)
    left join again a using (at)
    cross join lateral (
      select percentile_disc(0.5) within group (order by l.last_duration_ms) as median,
             percentile_disc(0.95) within group (order by l.last_duration_ms) as p95
      from (
        select d.last_duration_ms from ${of.table} d
        where d.merchant_id = $1 ${of.own('d')} and d.state = 'delivered'
          and d.created_at >= s.at and d.created_at < s.next_at
        order by d.created_at desc limit ${sampled}
      ) l
    ) q
    order by s.at`,
});

const primary = successOf({
  name: 'endpoint_success',
  table: 'deliveries',
  log: 'delivery_tries',
  own: () => '',
});
const further = successOf({
  name: 'further_endpoint_success',
  table: 'endpoint_deliveries',
  log: 'endpoint_delivery_tries',
  own: (alias) => `and ${alias}.endpoint_id = $5`,
});

interface SuccessRow {
  readonly at: Date;
  readonly sent: number;
  readonly accepted: number;
  readonly median: number | null;
  readonly p95: number | null;
}

/** Hours of the last two days, or days (UTC) of as many as are asked for, the present one last. */
export async function readEndpointSuccess(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly endpointId: string;
    readonly days: number;
    readonly now: Date;
  },
): Promise<EndpointSuccess> {
  const { merchantId, endpointId, days, now } = input;
  const isHourly = days <= 2;
  const stepMs = isHourly ? hourMs : dayMs;
  const count = isHourly ? days * 24 : days;
  const until = addMs(now, stepMs - (now.getTime() % stepMs));
  const values = [merchantId, addMs(until, -count * stepMs), until, stepMs];
  const rows =
    endpointId === primaryEndpointId
      ? await db.query<SuccessRow>(primary, values)
      : await db.query<SuccessRow>(further, [...values, endpointId]);
  return {
    step: isHourly ? 'hour' : 'day',
    points: rows.map(({ at, sent, accepted, median, p95 }) => ({
      at,
      sent,
      accepted: Math.max(0, accepted),
      ...(median !== null && p95 !== null && { durationMs: { median, p95 } }),
    })),
  };
}
