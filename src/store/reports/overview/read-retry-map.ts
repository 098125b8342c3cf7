import { present } from '../../../domain/present.ts';
import type { RetryMap, RetryMapQuery, TriesOf } from '../../../recovery/reports/overview.ts';
import type { Queryable, Statement } from '../../database.ts';
import { readAsOf } from './read-progress.ts';

const hours: Statement = {
  name: 'retry_map_hours',
  text: `
    select hour as at, sum(tries)::bigint as tries, sum(successes)::bigint as successes
    from charge_hour_rollups
    where ($1::text[] is null or merchant_id = any($1))
      and hour >= coalesce(date_trunc('hour', $2::timestamptz, 'UTC'), '-infinity')
      and hour < coalesce($3::timestamptz, 'infinity')
    group by 1 order by 1`,
};

/** The most frequent ones; few tries say nothing. */
const maxBuckets = 40;

/** Of whole UTC days: those on which a part of the time lies. `$5` buckets at most; null for all. */
const causes: Statement = {
  name: 'retry_map_causes',
  text: `
    select bucket, sum(tries)::bigint as tries, sum(successes)::bigint as successes
    from charge_cause_rollups
    where ($1::text[] is null or merchant_id = any($1)) and dimension = $4
      and day >= coalesce(($2::timestamptz at time zone 'UTC')::date, '-infinity')
      and day < coalesce(($3::timestamptz at time zone 'UTC' - interval '1 microsecond')::date + 1, 'infinity')
    group by 1 order by 2 desc, 1
    limit $5::int`,
};

interface BucketRow extends TriesOf {
  readonly bucket: string;
}

/** Success of charges by hour, days since the failure, first decline and first digits of the card. */
export async function readRetryMap(db: Queryable, query: RetryMapQuery): Promise<RetryMap> {
  const range = [query.merchantIds, query.from, query.to];
  const bucketsOf = (dimension: string, most?: number) =>
    db.query<BucketRow>(causes, [...range, dimension, most]);
  const asOf = await readAsOf(db, 'charges');
  const [ofHours, days, declineCodes, bins] = await Promise.all([
    db.query<TriesOf & { at: Date }>(hours, range),
    bucketsOf('days_since_failure'),
    bucketsOf('decline_code', maxBuckets),
    bucketsOf('bin', maxBuckets),
  ]);
  return {
    hours: ofHours,
    daysSinceFailure: [...days].sort((a, b) => Number(a.bucket) - Number(b.bucket)),
    declineCodes,
    bins,
    ...present({ asOf }),
  };
}
