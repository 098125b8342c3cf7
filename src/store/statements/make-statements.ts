import { createHash } from 'node:crypto';
import { addMs, dayMs, hourMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import {
  firstPreviousHash,
  type StatedSum,
  statementJson,
} from '../../recovery/accounting/statement.ts';
import { foldInto } from '../control-totals/fold-entries.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/** Until then transactions of a day may still be committed. */
const dayIsOverAfterMs = hourMs;

/** Statements that one transaction makes. */
const batch = 50;

/** The next day of each merchant that has none yet; the first is the day of its first fact. */
const due: Statement = {
  name: 'find_due_statements',
  text: `
    select m.merchant_id, d.day::text, coalesce(s.hash, $3) as previous_hash
    from merchants m
    left join lateral (
      select day, hash from statements where merchant_id = m.merchant_id order by day desc limit 1
    ) s on true
    cross join lateral (
      select coalesce(s.day + 1, (
        select stated_on from control_totals
        where merchant_id = m.merchant_id and stated_on > '-infinity'
        order by stated_on limit 1
      )) as day
    ) d
    where m.merchant_id > $1 and d.day < $2::date ${unlessMoved('m')}
    order by m.merchant_id limit ${batch}`,
};

const sums: Statement = {
  name: 'read_stated_sums',
  text: `
    select c.merchant_id, c.day::text, c.psp, c.connection_version, c.currency, c.kind,
           c.items::float8 as count, c.amount_minor::float8 as amount_minor
    from json_to_recordset($1::json) as k (merchant_id text, day date)
    join control_totals c on c.merchant_id = k.merchant_id and c.stated_on = k.day
    where c.items <> 0 or c.amount_minor <> 0`,
};

const insert: Statement = {
  name: 'insert_statements',
  text: `
    insert into statements (merchant_id, day, body, previous_hash, hash, made_at)
    select merchant_id, day, body, previous_hash, hash, $2
    from json_to_recordset($1::json)
      as s (merchant_id text, day date, body text, previous_hash text, hash text)`,
};

interface DueRow {
  readonly merchant_id: string;
  readonly day: string;
  readonly previous_hash: string;
}

interface SumRow {
  readonly merchant_id: string;
  readonly day: string;
  readonly psp: string;
  readonly connection_version: number;
  readonly currency: string;
  readonly kind: string;
  readonly count: number;
  readonly amount_minor: number;
}

/**
 * Makes the next statement of some merchants for which a day is over. `after` is the last merchant of
 * the step before: a merchant is seen again, for its next day, once all were seen.
 */
export async function makeStatements(
  db: Database,
  input: { readonly at: Date; readonly after: string },
): Promise<{ readonly made: number; readonly last?: string }> {
  const { at, after } = input;
  const today = utcDay(addMs(at, -dayIsOverAfterMs));
  return db.transaction(async (tx) => {
    await foldInto(tx, { at });
    const rows = await tx.query<DueRow>(due, [after, today, firstPreviousHash]);
    if (rows.length === 0) return { made: 0 };
    const found = await tx.query<SumRow>(sums, [JSON.stringify(rows)]);
    const byMerchant = Map.groupBy(found, (row) => row.merchant_id);
    await insertStatements(tx, rows, { byMerchant, at });
    const last = rows.length === batch ? rows.at(-1)?.merchant_id : undefined;
    return { made: rows.length, ...present({ last }) };
  });
}

async function insertStatements(
  tx: Queryable,
  rows: readonly DueRow[],
  input: { readonly byMerchant: ReadonlyMap<string, readonly SumRow[]>; readonly at: Date },
): Promise<void> {
  const statements = rows.map((row) => {
    const { merchant_id, day, previous_hash } = row;
    const body = statementJson({
      merchantId: merchant_id,
      day,
      previousHash: previous_hash,
      sums: (input.byMerchant.get(merchant_id) ?? []).map(toSum),
    });
    return { ...row, body, hash: createHash('sha256').update(body).digest('hex') };
  });
  await tx.query(insert, [JSON.stringify(statements), input.at]);
}

function toSum(row: SumRow): StatedSum {
  const { day, psp, currency, kind, count } = row;
  return {
    day,
    psp,
    connectionVersion: row.connection_version,
    currency,
    kind,
    count,
    amountMinor: row.amount_minor,
  };
}

export function utcDay(at: Date): string {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs).toISOString().slice(0, 10);
}
