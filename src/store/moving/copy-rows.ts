import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';
import type { TableShape } from './table-shape.ts';

/** Rows of a chunk: some hundred kilobytes of text at most. */
const chunkRows = 500;
/** A chunk that has grown by this is divided anew, and so is all behind it. */
const growth = 4;

interface Way {
  readonly source: CellConnection;
  readonly target: CellConnection;
  readonly merchantId: string;
}

interface StagedChunk {
  readonly chunk: number;
  readonly last_key: readonly string[] | null;
  readonly count: number;
  readonly digest: string;
}

export interface CopiedRows {
  /** In the source, when they were read. */
  readonly rows: number;
  /** Of those how many had to be sent. */
  readonly sent: number;
}

/**
 * Brings the rows of one table that wait in the target up to what the source has: a first pass sends all of
 * them, a later one what has changed since. Cut off, it is run again. All ranges are in the order of the
 * source, so the two databases may sort texts each in its own way.
 */
export async function copyRows(way: Way, table: TableShape): Promise<CopiedRows> {
  const most = table.chunkRows ?? chunkRows;
  let rows = 0;
  let sent = 0;
  let after: readonly string[] | undefined;
  let next = 0;
  for (const staged of await stagedChunks(way, table)) {
    const { last_key: last, chunk } = staged;
    const now = await digestOf(way, table, { after, last });
    next = chunk;
    if (last === null || now.count > growth * most) break;
    if (now.count !== staged.count || now.digest !== staged.digest) {
      const read = await readRows(way, table, { after, last });
      await stage(way, table, { chunk, last, rows: read.map(({ row }) => row) });
      sent += read.length;
    }
    rows += now.count;
    after = last;
    next = chunk + 1;
  }
  await forgetFrom(way, table, next);
  for (let isMore = true; isMore; next += 1) {
    const read = await readRows(way, table, { after, last: null, limit: most });
    const end = read.at(-1);
    if (end === undefined) break;
    isMore = read.length === most && table.keys.length > 0;
    const last = table.keys.length > 0 ? end.key : null;
    await stage(way, table, { chunk: next, last, rows: read.map(({ row }) => row) });
    rows += read.length;
    sent += read.length;
    after = end.key;
  }
  return { rows, sent };
}

/** Nothing of one table waits in the target any more. */
export function forgetRows(way: Way, table: TableShape): Promise<void> {
  return forgetFrom(way, table, 0);
}

/** What lies after one key, up to another and with it; null: to the end. */
interface Range {
  readonly after: readonly string[] | undefined;
  readonly last: readonly string[] | null;
}

function within(table: TableShape, { after, last }: Range) {
  const names = table.keys.map(({ name }) => `t.${name}`).join(', ');
  const values: unknown[] = [];
  const bound = (key: readonly string[]) =>
    key.map((part, at) => {
      values.push(part);
      return `$${values.length + 1}::text::${table.keys[at]?.type}`;
    });
  const parts = [
    ...(after === undefined ? [] : [`and (${names}) > (${bound(after).join(', ')})`]),
    ...(last === null ? [] : [`and (${names}) <= (${bound(last).join(', ')})`]),
  ];
  const order = table.keys.length === 0 ? '' : `order by ${names}`;
  return { condition: `t.merchant_id = $1 ${parts.join(' ')}`, order, values };
}

async function readRows(
  { source, merchantId }: Way,
  table: TableShape,
  range: Range & { readonly limit?: number },
): Promise<readonly { readonly row: string; readonly key: readonly string[] }[]> {
  const { condition, order, values } = within(table, range);
  const key = table.keys.map(({ name }) => `t.${name}::text`).join(', ');
  return rowsOf(
    source,
    `select t::text as row, array[${key}]::text[] as key from ${table.name} t
     where ${condition} ${order} ${range.limit === undefined ? '' : `limit ${range.limit}`}`,
    [merchantId, ...values],
  );
}

/** Where the rows are read, `offset 0`: on Citus a partition's row is another one further up. */
async function digestOf({ source, merchantId }: Way, table: TableShape, range: Range) {
  const { condition, order, values } = within(table, range);
  const [row] = await rowsOf<{ count: number; digest: string }>(
    source,
    `select count(*)::int as count, md5(coalesce(string_agg(t.digest, '' ${order}), '')) as digest
     from (select ${table.keys.map(({ name }) => `t.${name}, `).join('')}md5(t::text) as digest
           from ${table.name} t where ${condition} offset 0) t`,
    [merchantId, ...values],
  );
  return row ?? { count: 0, digest: '' };
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

async function stage(
  { target, merchantId }: Way,
  table: TableShape,
  {
    chunk,
    last,
    rows,
  }: Pick<Range, 'last'> & {
    readonly chunk: number;
    readonly rows: readonly string[];
  },
): Promise<void> {
  // The move may have been taken back by somebody, since the connection that kept others out broke off.
  const staged = await rowsOf(
    target,
    `with arriving as (
       select * from (
         select merchant_id from merchant_arrivals
         where merchant_id = $1 and state = 'copying'
         for share
       ) locked offset 0
     )
     insert into moving_rows (merchant_id, table_name, chunk, last_key, count, digest, rows)
     select merchant_id, $2::text, $3::integer, $4::text[], $5::integer, $6::text, $7::text[]
     from arriving
     on conflict (merchant_id, table_name, chunk) do update set
       last_key = excluded.last_key, count = excluded.count, digest = excluded.digest,
       rows = excluded.rows
     returning true`,
    [merchantId, table.name, chunk, last, rows.length, md5(rows.map(md5).join('')), rows],
  );
  if (staged.length === 0) throw new AppError('move_abandoned');
}

async function stagedChunks({ target, merchantId }: Way, { name }: TableShape) {
  return rowsOf<StagedChunk>(
    target,
    `select chunk, last_key, count, digest from moving_rows
     where merchant_id = $1 and table_name = $2 order by chunk`,
    [merchantId, name],
  );
}

async function forgetFrom({ target, merchantId }: Way, { name }: TableShape, chunk: number) {
  await rowsOf(
    target,
    'delete from moving_rows where merchant_id = $1 and table_name = $2 and chunk >= $3',
    [merchantId, name, chunk],
  );
}
