import type { OfMerchants } from '../../../domain/access/of-merchants.ts';
import { addMs, dayMs } from '../../../domain/clock.ts';
import { lookUpsOfLadder } from '../../../domain/limits.ts';
import type { PausedBy } from '../../../domain/webhooks/endpoint-pause.ts';
import { modelSchema } from '../../../policy/learned/policy-model.ts';
import type { Alert } from '../../../recovery/alerts/alert.ts';
import { allMerchants } from '../../../recovery/learned/model-ports.ts';
import type { Queryable, Statement } from '../../database.ts';
import { jobTables } from '../../job-tables.ts';
import { unlessLeft } from '../../moving/unless-moved.ts';
import { readFailingMessages } from './read-failing-messages.ts';

/** What is counted of each merchant that is here, with their names. */
const ofMerchants = (counted: string): string => `
    select c.*, m.name from (${counted}) c join merchants m on m.merchant_id = c.merchant_id
    where true ${unlessLeft('m')}
    order by c.since, c.merchant_id`;

const unknowns: Statement = {
  name: 'alert_unknown_outcomes',
  text: ofMerchants(`
    select merchant_id, count(*)::int as count, min(sent_at) as since,
           count(*) filter (where look_ups >= $2)::int as need_person
    from psp_transactions
    where state = 'unknown' and ($1::text[] is null or merchant_id = any($1))
    group by merchant_id`),
};

/** Deliveries of one merchant that are looked at: an endpoint that is down for days has many. */
const maxWaiting = 1_000;

const failingOf = (table: string, endpoints: string, own = ''): string => `
      select e.merchant_id, d.waiting, d.since
      from (${endpoints}) e
      cross join lateral (
        select count(*)::int as waiting, min(window_started_at) as since
        from (
          select window_started_at from ${table} d
          where d.merchant_id = e.merchant_id ${own} and d.state = 'pending' and d.tries > 0
            and d.window_started_at is not null
          order by d.created_at limit ${maxWaiting}
        ) oldest
      ) d
      where ($1::text[] is null or e.merchant_id = any($1)) and d.waiting > 0`;

/**
 * Endpoints with a delivery that was sent at least once and not taken, since it was last asked for. Those
 * that are paused are told apart.
 */
const failing: Statement = {
  name: 'alert_failing_endpoints',
  text: `
    select f.merchant_id, m.name, sum(f.waiting)::int as count, min(f.since) as since
    from (
      ${failingOf('deliveries', 'select merchant_id from merchants where webhook_paused_at is null')}
      union all
      ${failingOf(
        'endpoint_deliveries',
        `select merchant_id, endpoint_id from endpoints where paused_at is null and removed_at is null`,
        'and d.endpoint_id = e.endpoint_id',
      )}
    ) f
    join merchants m on m.merchant_id = f.merchant_id
    where true ${unlessLeft('m')}
    group by f.merchant_id, m.name
    order by 4, 1
    limit 20`,
};

/** Twice the time in which an event is given up. */
const givenUpWithinMs = 14 * dayMs;

const givenUpOf = (table: string, endpoints: string, own = ''): string => `
      select e.merchant_id, d.count, d.since
      from (${endpoints}) e
      cross join lateral (
        select count(*)::int as count, min(created_at) as since
        from (
          select created_at from ${table} d
          where d.merchant_id = e.merchant_id ${own} and d.state = 'exhausted' and d.created_at >= $2
          limit ${maxWaiting}
        ) lost
      ) d
      where ($1::text[] is null or e.merchant_id = any($1)) and d.count > 0`;

/** Of endpoints that are there: what was on its way to one that was removed nobody sends again. */
const givenUp: Statement = {
  name: 'alert_webhooks_given_up',
  text: `
    select g.merchant_id, m.name, sum(g.count)::int as count, min(g.since) as since
    from (
      ${givenUpOf('deliveries', 'select merchant_id from merchants')}
      union all
      ${givenUpOf(
        'endpoint_deliveries',
        'select merchant_id, endpoint_id from endpoints where removed_at is null',
        'and d.endpoint_id = e.endpoint_id',
      )}
    ) g
    join merchants m on m.merchant_id = g.merchant_id
    where true ${unlessLeft('m')}
    group by g.merchant_id, m.name
    order by 3 desc, 1
    limit 20`,
};

/** Endpoints that are sent nothing until a person resumes them. */
const paused: Statement = {
  name: 'alert_paused_endpoints',
  text: `
    select merchant_id, name, count(*)::int as count, min(since) as since, min(by) as by
    from (
      select merchant_id, name, webhook_paused_at as since, webhook_paused_by as by
      from merchants where webhook_paused_at is not null
      union all
      select m.merchant_id, m.name, e.paused_at, e.paused_by
      from endpoints e join merchants m using (merchant_id)
      where e.paused_at is not null
    ) p
    where ($1::text[] is null or merchant_id = any($1)) ${unlessLeft('p')}
    group by merchant_id, name
    order by 4, 1
    limit 20`,
};

/** `by`: `failures` where one of them paused by itself. */
interface PausedRow extends CountedRow {
  readonly by: PausedBy;
}

/** Charges that a rule refused, where the network would have taken a fee for them. */
const refused: Statement = {
  name: 'alert_network_limits',
  text: `
    select f.network, count(*)::int as refused, min(f.at) as since
    from merchants m
    join network_fees f on f.merchant_id = m.merchant_id and f.at >= $2
    where f.kind = 'avoided' and ($1::text[] is null or m.merchant_id = any($1)) ${unlessLeft('m')}
    group by 1 order by 2 desc, 1`,
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
    join merchants m on m.policy_kind = 'learned' and ($1::text[] is null or m.merchant_id = any($1))
    where d.status = 'active' and d.distrust is not null
      and (d.parameters ->> 'schema')::int = ${modelSchema} ${unlessLeft('m')}
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
      and ($1::text[] is null or merchant_id = any($1))
    group by merchant_id`),
};

const incidents: Statement = {
  name: 'alert_incidents',
  text: ofMerchants(`
    select merchant_id, count(*)::int as count, min(opened_at) as since
    from incidents
    where state in ('open', 'refunding') and ($1::text[] is null or merchant_id = any($1))
    group by merchant_id`),
};

const aside = (table: string): string => `
  select merchant_id, set_aside_at from ${table}
  where set_aside_at is not null and ($1::text[] is null or merchant_id = any($1))`;

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
  { merchantIds }: OfMerchants,
): Promise<readonly Alert[]> {
  const [open, given] = await Promise.all([
    db.query<CountedRow>(incidents, [merchantIds]),
    db.query<CountedRow>(setAside, [merchantIds]),
  ]);
  return [...open.map(ofKind('incidents')), ...given.map(ofKind('set_aside'))];
}

const countPaused: Statement = {
  name: 'count_paused_endpoints',
  text: `
    select (select count(*)::int from merchants m where webhook_paused_at is not null ${unlessLeft('m')})
         + (select count(*)::int from endpoints e where paused_at is not null ${unlessLeft('e')}) as count`,
};

/** What waits for a person now, of all merchants. */
export async function countUndecided(
  db: Queryable,
  now: Date,
): Promise<{
  readonly incidents: number;
  readonly setAside: number;
  readonly pausedEndpoints: number;
  readonly messagesFailing: number;
}> {
  const [alerts, [pauses], messages] = await Promise.all([
    readUndecided(db, {}),
    db.query<{ count: number }>(countPaused, []),
    readFailingMessages(db, { now }),
  ]);
  const countOf = (kind: Alert['kind']) =>
    alerts.reduce((sum, alert) => sum + (alert.kind === kind ? alert.count : 0), 0);
  return {
    incidents: countOf('incidents'),
    setAside: countOf('set_aside'),
    pausedEndpoints: pauses?.count ?? 0,
    messagesFailing: messages.reduce((sum, { count }) => sum + count, 0),
  };
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
  input: OfMerchants & { readonly now: Date },
): Promise<readonly Alert[]> {
  const { merchantIds, now } = input;
  const [undecided, unknown, endpoints, lost, limits, models, disputes, pauses, messages] =
    await Promise.all([
      readUndecided(db, input),
      db.query<CountedRow & { need_person: number }>(unknowns, [merchantIds, lookUpsOfLadder]),
      db.query<CountedRow>(failing, [merchantIds]),
      db.query<CountedRow>(givenUp, [merchantIds, addMs(now, -givenUpWithinMs)]),
      db.query<{ network: string; refused: number; since: Date }>(refused, [
        merchantIds,
        addMs(now, -lookBackMs),
      ]),
      db.query<DriftedRow>(drifted, [merchantIds]),
      db.query<CountedRow>(due, [merchantIds, now, addMs(now, soonMs)]),
      db.query<PausedRow>(paused, [merchantIds]),
      readFailingMessages(db, input),
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
    ...pauses.map((row): Alert => ({ kind: 'endpoint_paused', message: row.by, ...counted(row) })),
    ...lost.map(ofKind('webhooks_given_up')),
    ...messages,
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
