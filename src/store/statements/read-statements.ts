import { isDay } from '../../domain/clock.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { ListStatements, Page } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { cursorRefused } from '../page-cursor.ts';

const find: Statement = {
  name: 'find_statement',
  text: 'select body, hash from statements where merchant_id = $1 and day = $2::date',
};

const list: Statement = {
  name: 'list_statements',
  text: `
    select day::text, body, hash from statements
    where merchant_id = $1 and ($2::date is null or day > $2::date)
    order by day limit $3`,
};

interface StatementRow {
  readonly day: string;
  readonly body: string;
  readonly hash: string;
}

/** The statement of a day, with its hash. */
export async function findStatement(
  db: Queryable,
  input: { readonly merchantId: string; readonly day: string },
): Promise<JsonObject | undefined> {
  if (!isDay(input.day)) return undefined;
  const [row] = await db.query<Omit<StatementRow, 'day'>>(find, [input.merchantId, input.day]);
  return row && toStatement(row);
}

/** Statements in the order of their days. The cursor is the day of the last one that was read. */
export async function listStatements(
  db: Queryable,
  input: ListStatements,
): Promise<Page<JsonObject>> {
  const { merchantId, cursor, limit } = input;
  if (cursor !== undefined && !isDay(cursor)) {
    throw cursorRefused();
  }
  const rows = await db.query<StatementRow>(list, [merchantId, cursor ?? null, limit + 1]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const page = { items: items.map(toStatement) };
  return rows.length <= limit || last === undefined ? page : { ...page, nextCursor: last.day };
}

function toStatement({ body, hash }: Omit<StatementRow, 'day'>): JsonObject {
  return { ...(JSON.parse(body) as JsonObject), hash };
}
