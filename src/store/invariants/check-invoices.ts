import type { Queryable, Statement } from '../database.ts';
import { invoicePromises } from './invoice-promises.ts';

/** Where a page begins and ends: after the first invoice, up to the last, or to the end of all. */
interface InvoiceRange {
  readonly after: readonly [merchantId: string, invoiceId: string];
  readonly upTo: readonly [merchantId: string, invoiceId: string] | undefined;
}

const end: Statement = {
  name: 'find_end_of_invoice_page',
  text: `
    select merchant_id, invoice_id from payments
    where (merchant_id, invoice_id) > ($1, $2)
    order by merchant_id, invoice_id offset $3 - 1 limit 1`,
};

const inRange = (table: string) => `
  (${table}.merchant_id, ${table}.invoice_id) > ($1, $2)
    and ($3::text is null or (${table}.merchant_id, ${table}.invoice_id) <= ($3, $4))`;

/** Those of no invoice are counted by their numbers (check-rows.ts). */
const eventsInRange = `events.invoice_id is not null and ${inRange('events')}`;

const count: Statement = {
  name: 'check_invoice_page',
  text: `
    with p as materialized (select * from payments where ${inRange('payments')}),
    a as materialized (select * from all_attempts where ${inRange('all_attempts')}),
    -- With what its attempt says: joined later, the planner would compare each charge of the page with each attempt.
    t as materialized (
      select t.*, a.check_answer as yes, a.started_at, a.amount_minor as asked_minor, a.currency as asked_currency
      from a join psp_transactions t using (merchant_id, attempt_id)
    ),
    e as materialized (select * from events where ${eventsInRange})
    select (select count(*)::int from p) as rows_read,
           ${invoicePromises.map(({ name, text }) => `(${text})::int as ${name}`).join(', ')}`,
};

/** The charge of an attempt that succeeded, found by the attempt's key. */
const successOf = (merchant: string, attempt: string) => `
        select o.psp, o.connection_version, o.settled_at
        from (select * from psp_transactions
              where merchant_id = ${merchant} and attempt_id = ${attempt} offset 0) o
        where o.state = 'succeeded' order by o.contradicts limit 1`;

/**
 * Counts anew, of days that are over, what the page's rows give to the control totals. It says for itself what the
 * triggers' functions say (0170): on Citus no statement may call a function that reads tables.
 */
const recount: Statement = {
  name: 'recount_invoice_page',
  text: `
    with p as materialized (select * from payments where ${inRange('payments')}),
    t as materialized (
      select t.* from recorded_attempts a join psp_transactions t using (merchant_id, attempt_id)
      where ${inRange('a')}
    ),
    e as materialized (select * from events where ${eventsInRange}),
    facts as (
      select t.merchant_id, utc_day(t.settled_at) as day, t.psp, t.connection_version, t.currency,
             case when t.state = 'succeeded' then 'charged' else 'declined' end as kind, t.amount_minor
      from t
      where t.state = 'declined' or (t.state = 'succeeded' and not (t.contradicts and exists (
        select from psp_transactions o
        where o.merchant_id = t.merchant_id and o.invoice_id = t.invoice_id and o.state = 'succeeded'
          and not o.contradicts)))
      union all
      select p.merchant_id, utc_day(coalesce(a.ended_at, p.updated_at)), p.psp,
             coalesce(c.connection_version, 0), coalesce(a.currency, p.currency), 'recovered',
             coalesce(a.amount_minor, p.amount_minor)
      from p
      left join lateral (
        select o.attempt_id, o.ended_at, o.currency, o.amount_minor
        from (select * from recorded_attempts where merchant_id = p.merchant_id and invoice_id = p.invoice_id offset 0) o
        where o.state = 'succeeded' order by o.contradicts limit 1
      ) a on true
      left join lateral (${successOf('p.merchant_id', 'a.attempt_id')}) c on true
      where p.state = 'recovered'
      union all
      select e.merchant_id, utc_day(coalesce(c.settled_at, e.created_at)),
             coalesce(c.psp, (select p.psp from payments p
                              where p.merchant_id = e.merchant_id and p.invoice_id = e.invoice_id)),
             coalesce(c.connection_version, 0), s.currency, 'announced', s.amount_minor
      from e cross join lateral told_success(e.body) s
      left join lateral (${successOf('e.merchant_id', 'e.attempt_id')}) c on true
      -- Named in it, the success is there before earlier events are looked for: most tell of none.
      where e.type = 'retry_result' and not exists (
        select from events o cross join lateral told_success(o.body) first
        where o.merchant_id = e.merchant_id and o.invoice_id = e.invoice_id and o.type = 'retry_result'
          and o.sequence < e.sequence and coalesce(s.currency, '') is not null
        offset 0)
      union all
      select e.merchant_id, utc_day(e.created_at), '', 0, '', 'created', 0 from e
      union all
      select d.merchant_id, utc_day(d.created_at), '', 0, '', d.state, 0
      from e join deliveries d using (merchant_id, event_id)
    )
    insert into control_recounts as c
      (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    select merchant_id, day, psp, connection_version, currency, kind, count(*), sum(amount_minor)
    from facts where day < $5::date
    group by 1, 2, 3, 4, 5, 6
    on conflict (merchant_id, day, psp, connection_version, currency, kind) do update
    set items = c.items + excluded.items, amount_minor = c.amount_minor + excluded.amount_minor`,
};

export interface InvoicePage {
  readonly rows: number;
  readonly breaches: Readonly<Record<string, number>>;
  /** The last invoice of the page; undefined where it was the last page. */
  readonly last: readonly [string, string] | undefined;
}

/** One page of invoices: their breaches, and what they give to the totals of days before `closedBefore`. */
export async function checkInvoices(
  tx: Queryable,
  input: {
    readonly after: readonly [string, string];
    readonly limit: number;
    readonly closedBefore: string;
  },
): Promise<InvoicePage> {
  const { after, limit, closedBefore } = input;
  const [found] = await tx.query<{ merchant_id: string; invoice_id: string }>(end, [
    ...after,
    limit,
  ]);
  const upTo = found === undefined ? undefined : ([found.merchant_id, found.invoice_id] as const);
  const values = rangeValues({ after, upTo });
  const [row] = await tx.query<Record<string, number>>(count, [...values, closedBefore]);
  const { rows_read: rows = 0, ...breaches } = row ?? {};
  await tx.query(recount, [...values, closedBefore]);
  return { rows, breaches, last: upTo };
}

function rangeValues({ after, upTo }: InvoiceRange): readonly (string | null)[] {
  return [...after, upTo?.[0] ?? null, upTo?.[1] ?? null];
}
