import { addMs, dayMs } from '../../../domain/clock.ts';
import { lookUpsOfLadder } from '../../../domain/limits.ts';
import { modelSchema } from '../../../policy/learned/policy-model.ts';
import type { Alert } from '../../../recovery/alerts/alert.ts';
import { allMerchants } from '../../../recovery/learned/model-ports.ts';
import type { Queryable, Statement } from '../../database.ts';
import { jobTables } from '../../job-tables.ts';

/** What is counted of each merchant, with their names. */
const ofMerchants = (counted: string): string => `
    select c.*, m.name from (${counted}) c join merchants m on m.merchant_id = c.merchant_id
    order by c.since, c.merchant_id`;

const unknowns: Statement = {
  name: 'alert_unknown_outcomes',
  text: ofMerchants(`
    select merchant_id, count(*)::int as count, min(sent_at) as since,
           count(*) filter (where look_ups >= $2)::int as need_person
    from psp_transactions
    where state = 'unknown' and ($1::text is null or merchant_id = $1)
    group by merchant_id`),
};

/** Deliveries of one merchant that are looked at: an endpoint that is down for days has many. */
const maxWaiting = 1_000;

/** Endpoints with a delivery that was sent at least once and not taken, since it was last asked for. */
const failing: Statement = {
  name: 'alert_failing_endpoints',
  text: `
    select m.merchant_id, m.name, d.count, d.since
    from merchants m
    cross join lateral (
      select count(*)::int as count, min(window_started_at) as since
      from (
        select window_started_at from deliveries d
        where d.merchant_id = m.merchant_id and d.state = 'pending' and d.tries > 0
          and d.window_started_at is not null
        order by d.created_at limit ${maxWaiting}
      ) oldest
    ) d
    where ($1::text is null or m.merchant_id = $1) and d.count > 0
    order by d.since
    limit 20`,
};

/** Twice the time in which an event is given up. */
const givenUpWithinMs = 14 * dayMs;

const givenUp: Statement = {
  name: 'alert_webhooks_given_up',
  text: `
    select m.merchant_id, m.name, d.count, d.since
    from merchants m
    cross join lateral (
      select count(*)::int as count, min(created_at) as since
      from (
        select created_at from deliveries d
        where d.merchant_id = m.merchant_id and d.state = 'exhausted' and d.created_at >= $2
        limit ${maxWaiting}
      ) lost
    ) d
    where ($1::text is null or m.merchant_id = $1) and d.count > 0
    order by d.count desc
    limit 20`,
};

/** Charges that a rule refused, where the network would have taken a fee for them. */
const refused: Statement = {
  name: 'alert_network_limits',
  text: `
    select f.network, count(*)::int as refused, min(f.at) as since
    from merchants m
    join network_fees f on f.merchant_id = m.merchant_id and f.at >= $2
    where f.kind = 'avoided' and ($1::text is null or m.merchant_id = $1)
    group by 1 order by 2 desc`,
};

/**
 * Active models that drifted, while merchants go by them: one's own model, or that of all for those
 * that have none of their own.
 */
const drifted: Statement = {
  name: 'alert_drifted_models',
  text: `
    select d.model_id, d.distrust, d.activated_at, count(*)::int as merchants,
           min(m.merchant_id) as merchant_id, min(m.name) as name
    from models d
    join merchants m on m.policy_kind = 'learned' and ($1::text is null or m.merchant_id = $1)
    where d.status = 'active' and d.distrust is not null
      and (d.parameters ->> 'schema')::int = ${modelSchema}
      and (m.merchant_id = d.merchant_id
           or d.merchant_id = '${allMerchants}' and not exists (
             select from models own
             where own.merchant_id = m.merchant_id and own.status = 'active'
               and (own.parameters ->> 'schema')::int = ${modelSchema}))
    group by d.merchant_id, d.model_id, d.distrust, d.activated_at
    order by 4 desc, 1`,
};

interface DriftedRow {
  readonly model_id: string;
  readonly distrust: string;
  readonly activated_at: Date;
  readonly merchants: number;
  readonly merchant_id: string;
  readonly name: string;
}

const due: Statement = {
  name: 'alert_disputes_due',
  text: ofMerchants(`
    select merchant_id, count(*)::int as count, min(respond_by) as since
    from disputes
    where status = 'needs_response' and respond_by >= $2 and respond_by < $3
      and ($1::text is null or merchant_id = $1)
    group by merchant_id`),
};

const incidents: Statement = {
  name: 'alert_incidents',
  text: ofMerchants(`
    select merchant_id, count(*)::int as count, min(opened_at) as since
    from incidents
    where state in ('open', 'refunding') and ($1::text is null or merchant_id = $1)
    group by merchant_id`),
};

const aside = (table: string): string => `
  select merchant_id, set_aside_at from ${table}
  where set_aside_at is not null and ($1::text is null or merchant_id = $1)`;

const setAside: Statement = {
  name: 'alert_set_aside',
  text: ofMerchants(`
    select merchant_id, count(*)::int as count, min(set_aside_at) as since
    from (${jobTables.map(aside).join(' union all ')}) w
    group by merchant_id`),
};

interface CountedRow {
  readonly merchant_id: string;
  readonly name: string;
  readonly count: number;
  readonly since: Date;
}

/** What only a person decides: incidents, and work that was given up. */
async function readUndecided(
  db: Queryable,
  merchantId: string | undefined,
): Promise<readonly Alert[]> {
  const [open, given] = await Promise.all([
    db.query<CountedRow>(incidents, [merchantId]),
    db.query<CountedRow>(setAside, [merchantId]),
  ]);
  return [...open.map(ofKind('incidents')), ...given.map(ofKind('set_aside'))];
}

/** What waits for a person now, of all merchants. */
export async function countUndecided(
  db: Queryable,
): Promise<{ readonly incidents: number; readonly setAside: number }> {
  const alerts = await readUndecided(db, undefined);
  const countOf = (kind: Alert['kind']) =>
    alerts.reduce((sum, alert) => sum + (alert.kind === kind ? alert.count : 0), 0);
  return { incidents: countOf('incidents'), setAside: countOf('set_aside') };
}

type CountedKind =
  | 'disputes_due'
  | 'endpoint_failing'
  | 'incidents'
  | 'set_aside'
  | 'webhooks_given_up';

function ofKind(kind: CountedKind): (row: CountedRow) => Alert {
  return (row) => ({ kind, ...counted(row) });
}

function counted({ merchant_id: merchantId, name: merchantName, count, since: at }: CountedRow) {
  return { merchantId, merchantName, count, at };
}

const soonMs = 7 * dayMs;
const lookBackMs = dayMs;

/** What needs a person now, each merchant's by itself: each an index look, none from a roll-up. */
export async function readAlerts(
  db: Queryable,
  input: { readonly merchantId: string | undefined; readonly now: Date },
): Promise<readonly Alert[]> {
  const { merchantId, now } = input;
  const [undecided, unknown, endpoints, lost, limits, models, disputes] = await Promise.all([
    readUndecided(db, merchantId),
    db.query<CountedRow & { need_person: number }>(unknowns, [merchantId, lookUpsOfLadder]),
    db.query<CountedRow>(failing, [merchantId]),
    db.query<CountedRow>(givenUp, [merchantId, addMs(now, -givenUpWithinMs)]),
    db.query<{ network: string; refused: number; since: Date }>(refused, [
      merchantId,
      addMs(now, -lookBackMs),
    ]),
    db.query<DriftedRow>(drifted, [merchantId]),
    db.query<CountedRow>(due, [merchantId, now, addMs(now, soonMs)]),
  ]);
  return [
    ...undecided,
    ...unknown.map(
      (row): Alert => ({
        kind: 'unknown_outcomes',
        needPerson: row.need_person,
        ...counted(row),
      }),
    ),
    ...endpoints.map(ofKind('endpoint_failing')),
    ...lost.map(ofKind('webhooks_given_up')),
    ...disputes.map(ofKind('disputes_due')),
    ...models.map(driftAlert),
    ...limits.map(
      ({ network, refused: count, since: at }): Alert => ({
        kind: 'network_limits',
        network,
        count,
        at,
      }),
    ),
  ];
}

function driftAlert(row: DriftedRow): Alert {
  const { merchants, merchant_id: merchantId, name: merchantName } = row;
  return {
    kind: 'model_drifted',
    modelId: row.model_id,
    count: merchants,
    ...(merchants === 1 && { merchantId, merchantName }),
    message: row.distrust,
    at: row.activated_at,
  };
}
