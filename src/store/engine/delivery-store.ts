import type { DueItems } from '../../domain/held-back.ts';
import { present } from '../../domain/present.ts';
import type {
  ClaimInput,
  DeliveryOutcome,
  DeliveryStore,
  DueDelivery,
} from '../../recovery/engine-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { isOfOneRow } from '../database-fault.ts';
import { groupCommit } from '../group-commit.ts';
import { cutAtShare, isAllDue, pickDue, shareColumn } from './pick-due.ts';
import { stepBatches } from './step-batches.ts';

type DeliveryTable = 'deliveries' | 'endpoint_deliveries';

/** Of merchants' own webhook addresses, or of their further endpoints. */
export function createDeliveryStore(
  db: Database,
  table: DeliveryTable = 'deliveries',
): DeliveryStore {
  const record = groupCommit({
    run: async (outcomes: readonly DeliveryOutcome[]) => {
      const areFirst = outcomes.every(({ number }) => number === 1);
      const statement = areFirst ? firstRecords[table] : records[table];
      await db.query(statement, [JSON.stringify(outcomes)]);
      return outcomes.map(() => undefined);
    },
    ...stepBatches,
    isolate: isOfOneRow,
  });
  return { claimDue: (input) => claimDueDeliveries(db, table, input), record };
}

/** What a row is named by beside merchant and event, in SQL and in the input's JSON. */
interface FurtherKey {
  readonly column: string;
  readonly field: string;
}

const claimFrom = (table: DeliveryTable, key?: FurtherKey): Statement => ({
  name: `claim_due_${table}`,
  plans: 'kept',
  text: `
    with ${pickDue({ table, key: 'w.event_id', order: 'w.next_attempt_at' })},
    claimed as (
      update ${table} d
      set lease_until = $2, fence = d.fence + 1
      from picked
      where d.merchant_id = picked.merchant_id and d.event_id = picked.event_id
        ${key === undefined ? '' : `and d.${key.column} = picked.${key.column}`}
      returning d.merchant_id, d.event_id, ${key === undefined ? 'null::text as ' : 'd.'}endpoint_id, d.fence, d.tries,
                d.window_started_at, d.next_attempt_at
    )
    select c.merchant_id, c.event_id, c.endpoint_id, e.type, e.body, c.fence, c.tries,
           c.window_started_at, c.next_attempt_at, ${shareColumn}
    from claimed c
    -- Looked up one by one: joined with a part of the statement, events would be read by merchant.
    cross join lateral (
      select e.type, e.body from events e
      where e.merchant_id = c.merchant_id and e.event_id = c.event_id
      limit 1
    ) e`,
});

interface DueDeliveryRow {
  readonly merchant_id: string;
  readonly event_id: string;
  readonly endpoint_id: string | null;
  readonly type: string;
  readonly body: string;
  readonly fence: number;
  readonly tries: number;
  readonly window_started_at: Date | null;
  readonly next_attempt_at: Date;
  readonly share: number;
}

async function claimDueDeliveries(
  db: Queryable,
  table: DeliveryTable,
  input: ClaimInput,
): Promise<DueItems<DueDelivery>> {
  const rows = await db.query<DueDeliveryRow>(claims[table], [
    input.now,
    input.leaseUntil,
    input.busy,
    input.perMerchant,
    input.limit,
  ]);
  const items = rows.map((row) => ({
    merchantId: row.merchant_id,
    eventId: row.event_id,
    type: row.type,
    body: row.body,
    fence: row.fence,
    tries: row.tries,
    dueAt: row.next_attempt_at,
    ...present({
      endpointId: row.endpoint_id ?? undefined,
      windowStartedAt: row.window_started_at ?? undefined,
    }),
  }));
  return {
    items,
    isAll: isAllDue(rows, input.limit),
    ...present({ cutAtShare: cutAtShare(rows, input.limit) }),
  };
}

/** Every field of a batch's outcomes. */
const inputOf = (key?: FurtherKey): string => `
      select ${key === undefined ? '' : `i."${key.field}" as ${key.column}, `}i.* from json_to_recordset($1::json) as i (
        "merchantId" text, "eventId" text, ${key === undefined ? '' : `"${key.field}" text, `}fence int,
        number int, "sentAt" timestamptz, "endedAt" timestamptz, "durationMs" int, state text,
        "windowStartedAt" timestamptz, "nextAt" timestamptz, status int, error text, answer text)`;

const outcomeWritten = `
    set state = i.state, tries = i.number, window_started_at = i."windowStartedAt",
        delivered_at = case when i.state = 'delivered' then i."endedAt" end,
        last_sent_at = i."sentAt", last_duration_ms = i."durationMs",
        last_status = i.status, last_error = i.error, last_answer = i.answer,
        next_attempt_at = i."nextAt", lease_until = null, failures = 0`;

/** Whether two parts of a statement are of the same endpoint, where the table is of endpoints. */
const sameEndpoint = (one: string, other: string, key?: FurtherKey): string =>
  key === undefined ? '' : ` and ${one}.${key.column} = ${other}.${key.column}`;

/**
 * Of deliveries that were sent for the first time, as nearly all are: there is no send before to be logged, so
 * no row has to be read and locked before it is written. Nothing is written where another worker has taken the
 * delivery since, or it was replayed.
 */
const recordFirstIn = (table: DeliveryTable, key?: FurtherKey): Statement => ({
  name: `record_first_${table}`,
  plans: 'kept',
  text: `
    with input as (${inputOf(key)}
      -- All of them, which the planner takes to be one: so it looks each up by key, while the table is small too.
      where i.number = 1
      -- In the order in which rows are locked everywhere.
      order by i."merchantId", i."eventId"${key === undefined ? '' : `, i."${key.field}"`}
    )
    update ${table} d ${outcomeWritten}
    from input i
    where d.merchant_id = i."merchantId" and d.event_id = i."eventId"${sameEndpoint('d', 'i', key)}
      and d.fence = i.fence`,
});

/**
 * Nothing is written where another worker has taken the delivery since, or it was replayed. The send
 * before this one goes to the log, as the delivery tells of the last one.
 */
const recordIn = (table: DeliveryTable, log: string, key?: FurtherKey): Statement => {
  const of = (alias: string) => (key === undefined ? '' : `${alias}.${key.column}, `);
  const name = key === undefined ? '' : `${key.column}, `;
  return {
    name: `record_${table}`,
    plans: 'kept',
    text: `
    with input as (${inputOf(key)}
    ),
    -- Looked up one by one, by key, in one order: as a set, the planner would read the whole table while
    -- it is small, and keep doing so.
    held as (
      select h.* from (select "merchantId", "eventId", ${name}fence from input order by 1, 2, 3) i
      cross join lateral (
        select d.merchant_id, d.event_id, ${of('d')}d.fence, d.tries, d.last_sent_at, d.last_status,
               d.last_error, d.last_duration_ms, d.last_answer
        from ${table} d
        where d.merchant_id = i."merchantId" and d.event_id = i."eventId"${sameEndpoint('d', 'i', key)}
          and d.fence = i.fence
        for update
      ) h
    ),
    logged as (
      insert into ${log} (merchant_id, event_id, ${name}number, sent_at, status, error, duration_ms,
        answer)
      select merchant_id, event_id, ${name}tries, last_sent_at, last_status, last_error,
             last_duration_ms, last_answer
      from held where last_sent_at is not null
    )
    update ${table} d ${outcomeWritten}
    -- By the fence too: a batch may hold the send of one that lost the delivery beside its holder's.
    from input i join held h on h.merchant_id = i."merchantId" and h.event_id = i."eventId"${sameEndpoint('h', 'i', key)}
      and h.fence = i.fence
    where d.merchant_id = h.merchant_id and d.event_id = h.event_id${sameEndpoint('d', 'h', key)}`,
  };
};

const endpoint: FurtherKey = { column: 'endpoint_id', field: 'endpointId' };

const claims: Readonly<Record<DeliveryTable, Statement>> = {
  deliveries: claimFrom('deliveries'),
  endpoint_deliveries: claimFrom('endpoint_deliveries', endpoint),
};

const firstRecords: Readonly<Record<DeliveryTable, Statement>> = {
  deliveries: recordFirstIn('deliveries'),
  endpoint_deliveries: recordFirstIn('endpoint_deliveries', endpoint),
};

const records: Readonly<Record<DeliveryTable, Statement>> = {
  deliveries: recordIn('deliveries', 'delivery_tries'),
  endpoint_deliveries: recordIn('endpoint_deliveries', 'endpoint_delivery_tries', endpoint),
};
