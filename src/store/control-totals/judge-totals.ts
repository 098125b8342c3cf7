import type { Queryable, Statement } from '../database.ts';

/** What is held against each other: of events, psp and currency are empty. */
export interface ControlKey {
  readonly merchant_id: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly psp: string;
  readonly connection_version: number;
  readonly currency: string;
}

const sum = (column: 'items' | 'amount_minor', kind: string) =>
  `coalesce(sum(t.${column}) filter (where t.kind = '${kind}'), 0)`;

/** The sums of a key, as columns of totals `t`. */
export const sumColumns = ['charged', 'recovered', 'announced']
  .flatMap((kind) => [
    `${sum('items', kind)} as ${kind}_items`,
    `${sum('amount_minor', kind)} as ${kind}_minor`,
  ])
  .concat(
    ['created', 'delivered', 'pending', 'exhausted'].map(
      (kind) => `${sum('items', kind)} as ${kind}_items`,
    ),
  )
  .join(', ');

const judge: Statement = {
  name: 'judge_control_totals',
  text: `
    with keys as (
      select * from json_to_recordset($1::json) as k (
        merchant_id text, day date, psp text, connection_version int, currency text)
    ),
    judged as materialized (
      select k.*,
             (s.charged_items, s.charged_minor) <> (s.recovered_items, s.recovered_minor)
               or (s.charged_items, s.charged_minor) <> (s.announced_items, s.announced_minor)
               or s.created_items <> s.delivered_items + s.pending_items + s.exhausted_items
               as differs
      from keys k
      cross join lateral (
        select ${sumColumns} from control_totals t
        where t.merchant_id = k.merchant_id and t.day = k.day and t.psp = k.psp
          and t.connection_version = k.connection_version and t.currency = k.currency
      ) s
    ),
    agreed as (
      delete from control_differences d using judged j
      where not j.differs and d.merchant_id = j.merchant_id and d.day = j.day and d.psp = j.psp
        and d.connection_version = j.connection_version and d.currency = j.currency
    ),
    differing as (
      insert into control_differences (merchant_id, day, psp, connection_version, currency, found_at)
      select merchant_id, day, psp, connection_version, currency, $2 from judged where differs
      on conflict (merchant_id, day, psp, connection_version, currency) do nothing
    )
    select 1`,
};

/** Keeps the list of keys whose totals do not agree, for these keys. */
export async function judgeTotals(
  tx: Queryable,
  input: { readonly keys: readonly ControlKey[]; readonly at: Date },
): Promise<void> {
  if (input.keys.length === 0) return;
  await tx.query(judge, [JSON.stringify(input.keys), input.at]);
}
