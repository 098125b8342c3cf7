import type { Queryable, Statement } from '../database.ts';

/** Of this month, and of the next one long before anything comes in it. */
const make: Statement = {
  name: 'make_psp_event_months',
  text: `
    select make_psp_event_month(m::date)
    from generate_series(date_trunc('month', $1::timestamptz at time zone 'UTC'),
                         date_trunc('month', $1::timestamptz at time zone 'UTC') + interval '1 month',
                         interval '1 month') as m`,
};

const drop: Statement = {
  name: 'drop_psp_event_month',
  text: 'select drop_psp_event_month($1) as months',
};

/** Makes the tables of the months whose events come now and next, where they are not there. */
export async function makePspEventMonths(db: Queryable, at: Date): Promise<void> {
  await db.query(make, [at]);
}

/** Drops the table of the oldest month whose notes all came before `before`; how many it was, 0 or 1. */
export async function dropPspEventMonth(db: Queryable, before: Date): Promise<number> {
  const [row] = await db.query<{ months: number }>(drop, [before]);
  return row?.months ?? 0;
}
